import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyPlan,
  PolicyRun,
  Positions,
  Retention,
  SyntheticItem,
  ThresholdRule,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { runEnd } from "@/lib/core/compaction/selection";
import { from, joined } from "@/lib/core/compaction/simulation/positions";
import { compressionLimit, EMPTY_HINT_TOKENS, tokensOfChars } from "../base/constants";
import { MINI_PRESETS, type MiniPreset, miniPreset, miniSettings } from "../base/presets";
import { omittedHint } from "./tool-output";

/** Length of a result's JSON without its text, its call's id and its tool's name. Source: README.md, "Messages". */
const RESULT_CHARS: Chars = '{"type":"tool-result","toolCallId":"","toolName":"","result":""},'.length;
/** Length that a reported error adds to a result. */
const ERROR_CHARS: Chars = ',"isError":true'.length;
/** The usual length of a call's id. */
const CALL_ID_CHARS: Chars = "toolu_012345678901234567890123".length;

/** Entry rule: of an output above the limit, its first units and a hint enter. Under any other estimator the tokens change in proportion. */
function entryTokens({ columns, preset, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const chars = columns.chars[item] ?? 0;
  const limit = numberSetting(settings, "toolOutputChars");
  if (columns.kind[item] !== KIND.tool_result || chars <= limit) return tokens;
  const tool = columns.tables.tools[columns.tool[item] ?? -1] ?? "";
  const hint = omittedHint(tool, chars, miniPreset(preset), limit);
  const isError = ((columns.flags[item] ?? 0) & FLAG.ERROR) !== 0;
  const json = RESULT_CHARS + tool.length + (isError ? ERROR_CHARS : 0);
  const id = (columns.pair[item] ?? -1) < 0 ? 0 : CALL_ID_CHARS;
  // The program's own count includes the JSON around the text.
  const around = tokens >= tokensOfChars(chars + json) ? json + id : 0;
  // An output slightly above the limit becomes larger through its hint.
  return Math.ceil((tokens * (around + limit + hint.length)) / (around + chars));
}

/** The program's rules: once a turn it compares the provider's count, summed over the turn's steps, and it keeps nothing. */
const current: Release = {
  compared: (view) => (view.turnStart ? lastTurnTokens(view) : 0),
  thresholdRule: "turnSum",
  kept: () => [],
};

/** The sum of the inputs of the steps in the turn that just ended. */
function lastTurnTokens({ columns, request, sent }: ContextView): Tokens {
  const { firstItem } = columns.requests;
  const turnOf = (step: number) => columns.turn[firstItem[step] ?? -1];
  const turn = turnOf(request - 1);
  let sum = 0;
  for (let step = request - 1; step >= 0 && turnOf(step) === turn; step--) sum += sent[step] ?? 0;
  return sum;
}

/** The document's rules: it compares the estimate after every step, and keeps the question. */
const asDocumented: Release = {
  compared: (view) => (view.turnStart ? tokensThrough(view, runEnd(view)) : view.history),
  kept: questionBefore,
};

/** Position of the newest typed message before another position: the question that the run answers. */
function questionBefore(view: ContextView, end: number): Positions {
  const { origin, message } = view.columns;
  let last = end - 1;
  while (last >= 0 && origin[view.items.at(last)] !== ORIGIN.typed) last -= 1;
  if (last < 0) return [];
  const question = message[view.items.at(last)];
  let first = last;
  while (first > 0 && message[view.items.at(first - 1)] === question) first -= 1;
  return [[first, last + 1]];
}

const RELEASES: Readonly<Record<MiniPreset, Release>> = { "as-documented": asDocumented, current };

/**
 * mini-claude-code's compaction, computed from the columns: above a share of the window, a summary in the system prompt replaces the history. Source:
 * README.md, "Compression".
 */
export const miniClaudeCodePolicy: Policy = {
  id: "mini-claude-code",
  label: "mini-claude-code",
  presets: MINI_PRESETS,
  presetDates: { current: "2026-02" },
  settings: miniSettings,
  entryRule: { settings: ["toolOutputChars"], tokens: entryTokens },
  // Tokens are whole numbers, so a size above the limit is also above its floor.
  threshold: (chosen) => Math.floor(limitOf(chosen)),
  thresholdRule: ({ preset }) => RELEASES[miniPreset(preset)].thresholdRule,
  begin: (plan) => new MiniRun(plan),
};

function limitOf({ window, settings }: PolicyChosen): number {
  return compressionLimit(window, numberSetting(settings, "threshold"));
}

class MiniRun implements PolicyRun {
  readonly #release: Release;
  readonly #limit: number;
  readonly #failSummary: unknown;
  readonly #summaryTokens: Tokens;
  /** The items that every compaction adds. */
  readonly #added: readonly SyntheticItem[];

  constructor(plan: PolicyPlan) {
    const { settings } = plan;
    const preset = miniPreset(plan.preset);
    this.#release = RELEASES[preset];
    this.#limit = limitOf(plan);
    this.#failSummary = settings.failSummary;
    // An empty answer counts as a summary: the lines around it are kept.
    const isEmpty = summaryIsEmpty(settings.failSummary);
    this.#summaryTokens = isEmpty ? EMPTY_HINT_TOKENS[preset] : numberSetting(settings, "summaryTokens");
    const words = { name: "systemPromptSummary", role: "system", label: "summary in the system prompt" } as const;
    this.#added = [{ ...summaryItem(this.#summaryTokens), ...words }];
  }

  /** Compares nothing before the first step. From then on it fires above the limit, never at the limit itself. */
  before(view: ContextView): Compaction | undefined {
    if (view.request === 0) return undefined;
    const compared = this.#release.compared(view);
    return compared > this.#limit ? { ...this.compact(view), figures: { compared } } : undefined;
  }

  compact(view: ContextView): Retention {
    const end = view.turnStart ? runEnd(view) : view.items.length;
    const callTokens = callSize(tokensThrough(view, end) - view.overhead);
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    return bySummary({
      kept: joined([...this.#release.kept(view, end), ...from(view, end)]),
      added: this.#added,
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }
}

/** The rules of one release. */
interface Release {
  /** The size to compare at the end of the last step; later typed messages are not part of it. */
  readonly compared: (view: ContextView) => Tokens;
  readonly thresholdRule?: ThresholdRule;
  /** Positions of the kept history before a position. */
  readonly kept: (view: ContextView, end: number) => Positions;
}

/** Tokens of the context without the items from a position on. */
function tokensThrough(view: ContextView, end: number): Tokens {
  let tokens = view.history;
  for (let position = end; position < view.items.length; position++) tokens -= view.tokensOf(view.items.at(position));
  return tokens;
}
