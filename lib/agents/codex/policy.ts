import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KINDS, type SessionColumns } from "@/lib/core/columns/columns";
import { byRules } from "@/lib/core/compaction/by-rules";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type { ContextView, Policy, PolicyPlan, Retention } from "@/lib/core/compaction/policy";
import { perSettings } from "@/lib/core/compaction/remembered";
import { summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import {
  EFFECTIVE_PERCENT,
  EMPTY_SUMMARY_TOKENS,
  effectiveWindow,
  nineTenths,
  OUTPUT_BYTES,
  resized,
  tokensOfBytes,
  truncatedBytes,
} from "./constants";
import { keptMessages } from "./kept-messages";
import { afterResponse, historyEnd, mostAfterResponse, tokensEntering, usageOf } from "./policy-usage";
import { CODEX_PRESETS, codexSettings } from "./presets";

/** Measures that this policy reads where they are there; `codexMeasures` of the server half computes them. */
export const CODEX_MEASURES = ["codex.jsonBytes", "codex.retained", "codex.hidden"] as const;
export type CodexMeasure = (typeof CODEX_MEASURES)[number];
/** Bits of `codex.retained`. */
export const RETAINED_LOCALLY = 1;
export const RETAINED_REMOTELY = 2;
export const RETAINED_LOCALLY_CURRENT = 4;

/** What usage is compared with. */
interface Limits {
  readonly usage: Tokens;
  /** Whether the limit is one of what came after the first request since the last summary; then it is taken as configured. */
  readonly afterPrefix: boolean;
  /** At this size it compacts whatever came after. */
  readonly full: Tokens;
}

/** The limits in force. The release takes a configured one as it is, `current` at most nine tenths of the window. */
const limitsOf = perSettings((window: Tokens, settings: Settings): Limits => {
  const configured = numberSetting(settings, "autoCompactLimit");
  const afterPrefix = settings.limitScope === "body_after_prefix";
  const usage = isCurrent(settings) && !afterPrefix ? Math.min(configured, nineTenths(window)) : configured;
  return { usage, afterPrefix, full: afterPrefix ? effectiveWindow(window, EFFECTIVE_PERCENT) : usage };
});

/**
 * Whether a limit is reached. The prefix is what the first request since the last summary sent, as the server counted it; before that
 * one is answered nothing came after it. Source: systems/codex.md §5, scope; core/src/session/context_window.rs and
 * core/src/state/auto_compact_window.rs of main.
 */
function isReached(view: ContextView, settings: Settings): boolean {
  const limits = limitsOf(view.window, settings);
  const usage = usageOf(view, isCurrent(settings));
  if (!isCurrent(settings) || view.request === 0) return reaches(view, limits, usage);
  const most = mostAfterResponse(view);
  // It is looked at only where that decides.
  if (most !== undefined && !reaches(view, limits, usage + most)) return false;
  return reaches(view, limits, usage + afterResponse(view, settings.remote === true));
}

function reaches(view: ContextView, limits: Limits, usage: Tokens): boolean {
  if (!limits.afterPrefix) return usage >= limits.usage;
  const prefix = view.firstInput > 0 ? view.firstInput : usage;
  return usage - prefix >= limits.usage || usage >= limits.full;
}

/**
 * Codex's compaction over numbers: fires when the last response's total reaches the limit, keeps the initial context and
 * the newest user messages within a budget, and puts a summary behind them. Everything else goes.
 * Source: systems/codex.md §2, §3, §5 and §6.
 */
export const codexPolicy: Policy = {
  id: "codex",
  label: "Codex",
  presets: CODEX_PRESETS,
  settings: codexSettings,
  measures: CODEX_MEASURES,
  entryRule: { settings: ["toolOutputTokens"], tokens: entryTokens },
  // With a prefix left out no one size fires: the one at which it does at the latest.
  threshold: ({ window, settings }) => limitsOf(window, settings).full,
  begin: byRules({
    shouldCompact: (view, settings) => (isReached(view, settings) ? "threshold" : null),
    compact,
  }),
};

/** `current` is the only preset that knows remote compaction. */
function isCurrent(settings: Settings): boolean {
  return typeof settings.remote === "boolean";
}

function compact(view: ContextView, settings: Settings): Retention {
  const end = historyEnd(view);
  // A summary call longer than the window is shortened from its start until it fits; the kept messages stay the same.
  const callTokens = Math.min(view.history - tokensEntering(view), view.window);
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  const remote = settings.remote === true;
  const budget = numberSetting(settings, remote ? "retainedTokens" : "userMessageTokens");
  const local = isCurrent(settings) ? RETAINED_LOCALLY_CURRENT : RETAINED_LOCALLY;
  const bit = remote ? RETAINED_REMOTELY : local;
  // What a service made is not looked into; of a local summary that is empty the line before it stays.
  const isEmpty = !remote && summaryIsEmpty(settings.failSummary);
  const summaryTokens = isEmpty ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  return {
    ...keptMessages(view, { remote, withIds: isCurrent(settings), budget, bit }, end),
    cleared: [],
    added: [summaryItem(summaryTokens)],
    addedAt: "back",
    entering: view.items.length - end,
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

const RESULT = KINDS.indexOf("tool_result");
/** Room above the limit when an output enters the history. Source: systems/codex.md §3, policy × 1.2. */
const ENTRY_FACTOR = 1.2;
/** The one tool whose result Codex does not truncate. */
const TOOL_SEARCH = "tool_search";

/**
 * Entry rule: an output keeps its head and tail within 1.2 times the limit. An output of several texts shares one budget,
 * in order; what no longer fits is left out.
 */
function entryTokens({ columns, settings }: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  if (columns.kind[item] !== RESULT || columns.tables.tools[columns.tool[item] ?? -1] === TOOL_SEARCH) return tokens;
  const bytes = columns.bytes[item] ?? 0;
  const budget = Math.ceil(numberSetting(settings, "toolOutputTokens") * ENTRY_FACTOR);
  if (tokensOfBytes(bytes) <= budget && !isContinued(columns, item)) return tokens;
  const earlier = earlierTokens(columns, item);
  const left = Math.max(0, budget - earlier);
  if (tokensOfBytes(bytes) <= left) return tokens;
  if (left === 0 && earlier > 0) return 0;
  const scale = (columns.measures["codex.jsonBytes"]?.[item] ?? bytes) / bytes;
  return resized(tokens, OUTPUT_BYTES + bytes * scale, OUTPUT_BYTES + truncatedBytes(bytes, left) * scale);
}

/** Whether the item stands behind other parts of its message. */
function isContinued(columns: SessionColumns, item: ItemIndex): boolean {
  return ((columns.flags[item] ?? 0) & FLAG.MESSAGE_START) === 0;
}

/** Tokens of the same output's texts before this one. */
function earlierTokens(columns: SessionColumns, item: ItemIndex): Tokens {
  const call = columns.pair[item] ?? -1;
  // Results whose calls are not known are outputs of their own.
  if (call < 0) return 0;
  let sum = 0;
  for (let row = item - 1; row >= columns.overheadRows && columns.message[row] === columns.message[item]; row--) {
    if (columns.kind[row] === RESULT && columns.pair[row] === call) {
      sum += tokensOfBytes(columns.bytes[row] ?? 0);
    }
  }
  return sum;
}
