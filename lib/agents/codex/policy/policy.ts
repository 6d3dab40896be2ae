import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, ROLE } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  ThresholdRule,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting, optionalNumberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { EFFECTIVE_PERCENT, EMPTY_SUMMARY_TOKENS, effectiveWindow, nineTenths, tokensOfBytes } from "../base/constants";
import { CODEX_PRESETS, type CodexPreset, codexPreset, codexSettings } from "../base/presets";
import { entryTokens } from "./entry";
import { keptMessages } from "./kept-messages";
import { CODEX_MEASURES, RETAINED_LOCALLY, RETAINED_LOCALLY_CURRENT, RETAINED_REMOTELY } from "./measures";
import type { Selection } from "./message-budget";
import { afterResponse, earlierReasoning, historyEnd, lastTotal, mostAfterResponse, tokensEntering } from "./usage";

/** The release of 30 January 2026: uses a configured limit unchanged, and compares only the server's counts. */
const release202601: Release = {
  threshold: ({ settings }) => optionalNumberSetting(settings, "autoCompactLimit") ?? undefined,
  thresholdRule: () => "hiddenReasoning",
  begin: (plan) => new ReleaseRun(plan),
};

class ReleaseRun implements PolicyRun {
  readonly #limit: Tokens;
  readonly #replacement: Replacement;

  constructor({ settings }: PolicyPlan) {
    this.#limit = optionalNumberSetting(settings, "autoCompactLimit") ?? Number.POSITIVE_INFINITY;
    const budget = numberSetting(settings, "userMessageTokens");
    this.#replacement = {
      selection: { remote: false, withIds: false, budget, bit: RETAINED_LOCALLY },
      summaryTokens: summarySize(settings),
      failSummary: settings.failSummary,
    };
  }

  before(view: ContextView): Compaction | undefined {
    const compared = releaseUsage(view);
    return compared >= this.#limit ? { ...this.compact(view), figures: { compared } } : undefined;
  }

  compact(view: ContextView): Compaction {
    return replaced(view, this.#replacement);
  }
}

/** Usage that the release compares: the last response's total, plus the reasoning that the server did not count, rounded once as a sum. */
export function releaseUsage(view: ContextView): Tokens {
  return lastTotal(view) + tokensOfBytes(earlierReasoning(view, isUserMessage).bytes);
}

/** True for a message with the user's role: typed, context, or a summary, but not a tool's output. */
function isUserMessage({ columns }: ContextView, item: ItemIndex): boolean {
  return item >= columns.length || (columns.role[item] === ROLE.user && columns.origin[item] !== ORIGIN.tool);
}

/** The main branch of 12 August 2026: it also counts items after the last response, and a service may make the summary. */
const current: Release = {
  // If the limit excludes a prefix, no single size triggers: this is the size that always does.
  threshold: (chosen) => limitsOf(chosen).full,
  thresholdRule: (chosen) => (limitsOf(chosen).afterPrefix ? "afterPrefix" : "hiddenReasoning"),
  begin: (plan) => new CurrentRun(plan),
};

/** The limits that usage is compared with. */
interface Limits {
  readonly usage: Tokens;
  /** True if the limit counts only items after the first request since the last summary. */
  readonly afterPrefix: boolean;
  /** The size that always triggers a compaction. */
  readonly full: Tokens;
}

/** A configured limit is capped at nine tenths of the window, unless it counts only items after the prefix. */
function limitsOf({ window, settings }: PolicyChosen): Limits {
  const configured = numberSetting(settings, "autoCompactLimit");
  const afterPrefix = settings.limitScope === "body_after_prefix";
  const usage = afterPrefix ? configured : Math.min(configured, nineTenths(window));
  return { usage, afterPrefix, full: afterPrefix ? effectiveWindow(window, EFFECTIVE_PERCENT) : usage };
}

class CurrentRun implements PolicyRun {
  readonly #limits: Limits;
  /** True if a service makes the summaries. */
  readonly #remote: boolean;
  readonly #replacement: Replacement;

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const remote = settings.remote === true;
    this.#limits = limitsOf(plan);
    this.#remote = remote;
    const budget = numberSetting(settings, remote ? "retainedTokens" : "userMessageTokens");
    const bit = remote ? RETAINED_REMOTELY : RETAINED_LOCALLY_CURRENT;
    this.#replacement = {
      selection: { remote, withIds: true, budget, bit },
      // The configured size of a service's summary is used unchanged.
      summaryTokens: remote ? numberSetting(settings, "summaryTokens") : summarySize(settings),
      failSummary: settings.failSummary,
    };
  }

  before(view: ContextView): Compaction | undefined {
    const compared = this.#reached(view);
    return compared === undefined ? undefined : { ...this.compact(view), figures: { compared } };
  }

  compact(view: ContextView): Compaction {
    return replaced(view, this.#replacement);
  }

  /** The size that reaches a limit; `undefined` if none is reached. */
  #reached(view: ContextView): Tokens | undefined {
    const usage = currentUsage(view);
    if (view.request === 0) return this.#reaches(view, usage) ? usage : undefined;
    const most = mostAfterResponse(view);
    // The exact size is computed only if it decides.
    if (most !== undefined && !this.#reaches(view, usage + most)) return undefined;
    const exact = usage + afterResponse(view, this.#remote);
    return this.#reaches(view, exact) ? exact : undefined;
  }

  /**
   * True if usage reaches a limit. The prefix is the input of the first request since the last summary, as the server counted it; until that request
   * is answered, nothing comes after the prefix. Source: core/src/session/context_window.rs and core/src/state/auto_compact_window.rs of main.
   */
  #reaches(view: ContextView, usage: Tokens): boolean {
    const limits = this.#limits;
    if (!limits.afterPrefix) return usage >= limits.usage;
    const prefix = view.firstInput > 0 ? view.firstInput : usage;
    return usage - prefix >= limits.usage || usage >= limits.full;
  }
}

/** The last response's total, plus the reasoning that the server did not count, rounded item by item. */
export function currentUsage(view: ContextView): Tokens {
  return lastTotal(view) + earlierReasoning(view, startsTurn).tokens;
}

function startsTurn({ columns }: ContextView, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.TURN_START) !== 0;
}

/** The document prints no code of the policy, so its preset has the rules of the release that it describes. */
const RELEASES: Readonly<Record<CodexPreset, Release>> = {
  "as-documented": release202601,
  "release-2026-01": release202601,
  current,
};

function releaseOf({ preset }: Pick<PolicyChosen, "preset">): Release {
  return RELEASES[codexPreset(preset)];
}

/**
 * Codex's compaction, computed from the columns. It fires when the last response's total reaches the limit, keeps the initial context and the newest
 * user messages within a budget, adds a summary after them, and drops everything else. Source: README.md, "Presets".
 */
export const codexPolicy: Policy = {
  id: "codex",
  label: "Codex",
  presets: CODEX_PRESETS,
  presetDates: { current: "2026-08" },
  settings: codexSettings,
  measures: CODEX_MEASURES,
  entryRule: { settings: ["toolOutputTokens"], tokens: entryTokens },
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  thresholdRule: (chosen) => releaseOf(chosen).thresholdRule(chosen),
  begin: (plan) => releaseOf(plan).begin(plan),
};

/** The rules of one release. */
interface Release {
  /** Context size that always triggers a compaction; `undefined` without a limit. */
  readonly threshold: (chosen: PolicyChosen) => Tokens | undefined;
  readonly thresholdRule: (chosen: PolicyChosen) => ThresholdRule;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}

/** Replacement of a history. */
interface Replacement {
  readonly selection: Selection;
  readonly summaryTokens: Tokens;
  readonly failSummary: unknown;
}

/** Size of a summary that the program itself makes: even one without a text keeps its prefix line. */
function summarySize(settings: Settings): Tokens {
  return summaryIsEmpty(settings.failSummary) ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
}

/** The compaction before a request: it keeps the selected messages, and adds the summary after them. If the call fails, the history is unchanged. */
function replaced(view: ContextView, { selection, summaryTokens, failSummary }: Replacement): Compaction {
  const end = historyEnd(view);
  const { tokens: callTokens, unsent } = summaryCall(view, end, selection.remote);
  if (summaryFails(failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  const { kept, truncated, limits } = keptMessages(view, selection, end);
  return bySummary({
    kept,
    truncated,
    limits,
    unsent,
    added: [summaryItem(summaryTokens)],
    addedAt: "back",
    entering: view.items.length - end,
    summaryTokens,
    summaryCallTokens: callTokens,
  });
}

/** The call for a summary: its size, and the items omitted to fit the window. */
interface SummaryCall {
  readonly tokens: Tokens;
  readonly unsent: readonly ItemIndex[];
}

/**
 * The call for a summary of the history. While it exceeds the window, a local call drops its oldest item, with the output of a call. A service cuts
 * its own call; only its window is known. Source: README.md, "History"; core/src/compact.rs.
 * @param end position after the history
 */
function summaryCall(view: ContextView, end: number, remote: boolean): SummaryCall {
  const { columns, items, window } = view;
  let tokens = view.history - tokensEntering(view);
  if (tokens <= window || remote) return { tokens: callSize(Math.min(tokens, window)), unsent: [] };
  const unsent = new Set<ItemIndex>();
  const leaveOut = (item: ItemIndex) => {
    if (unsent.has(item)) return;
    unsent.add(item);
    tokens -= view.tokensOf(item);
  };
  for (let position = 0; position < end; position++) {
    const item = items.at(position);
    if (tokens <= window && !(unsent.has(item - 1) && continues(view, item))) break;
    leaveOut(item);
    const output = columns.kind[item] === KIND.tool_call ? (columns.pair[item] ?? -1) : -1;
    if (output < 0 || !items.has(output)) continue;
    leaveOut(output);
    for (let row = output + 1; continues(view, row); row++) leaveOut(row);
  }
  return { tokens: callSize(tokens), unsent: [...unsent].filter((item) => item < columns.length) };
}

/** True if a row continues the history item of the row before it: as a further text or image of a message or an output. */
function continues({ columns }: ContextView, row: ItemIndex): boolean {
  const { kind, message, origin, pair } = columns;
  if (row <= columns.overheadRows || row >= columns.length || message[row] !== message[row - 1]) return false;
  const isOutput = (at: ItemIndex) =>
    kind[at] === KIND.tool_result || (kind[at] === KIND.image && origin[at] === ORIGIN.tool);
  if (kind[row] === KIND.tool_result) return isOutput(row - 1) && (pair[row] ?? -1) === lastCall(row - 1);
  if (kind[row] === KIND.image && isOutput(row)) return isOutput(row - 1);
  const isContent = (at: ItemIndex) => kind[at] === KIND.text || kind[at] === KIND.image;
  return isContent(row) && isContent(row - 1);

  /** The call of the output that a row belongs to. */
  function lastCall(from: ItemIndex): ItemIndex {
    let at = from;
    while (at > columns.overheadRows && kind[at] === KIND.image) at -= 1;
    return pair[at] ?? -1;
  }
}
