import { charsOverFour } from "@/lib/core/base/characters";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN } from "@/lib/core/columns/columns";
import { givesNoSummary } from "@/lib/core/compaction/policy/common-settings";
import type { Compaction, ContextView, Policy, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, callSize, keepingAll, summaryItem } from "@/lib/core/compaction/retention";
import { endWithCalls } from "@/lib/core/compaction/selection";
import {
  BLOCK_TOKENS,
  HEAD_CHARS,
  INSTRUCTION_CHARS,
  LONG_RESULT_CHARS,
  MARKER_CHARS,
  MESSAGE_TOKENS,
  TAIL_CHARS,
} from "../base/constants";
import { DSH_PRESETS, dshSettings } from "../base/presets";

/**
 * DeepSeek Harness' compaction, computed from the columns. Before a step at a share of the window, long results lose their middle; if that is not
 * enough, a summary replaces everything but the newest messages. Source: README.md, "Rules".
 */
export const dshPolicy: Policy = {
  id: "dsh",
  label: "DeepSeek Harness",
  presets: DSH_PRESETS,
  presetDates: { current: "2026-08" },
  settings: dshSettings,
  threshold: ({ window, settings }) => Math.floor(window * numberSetting(settings, "triggerShare")),
  looksBack: ({ settings }) => settings.prune === true,
  begin: (plan) => new DshRun(plan),
};

/** New sizes of results. */
type Sizes = readonly (readonly [ItemIndex, Tokens])[];

class DshRun implements PolicyRun {
  readonly #plan: PolicyPlan;
  readonly #trigger: Tokens;
  readonly #retain: Tokens;

  constructor(plan: PolicyPlan) {
    const { settings, window } = plan;
    this.#plan = plan;
    this.#trigger = Math.floor(window * numberSetting(settings, "triggerShare"));
    this.#retain = Math.floor(window * numberSetting(settings, "keepRecentShare"));
  }

  before(view: ContextView): Compaction | undefined {
    const size = sizeOf(view);
    const isRefused = view.history > view.window;
    if (size < this.#trigger && !isRefused) return undefined;
    const pruned = this.#pruned(view);
    const left = size - pruned.reduce((sum, [item, tokens]) => sum + view.tokensOf(item) - tokens, 0);
    if (left < this.#trigger && !isRefused) return keepingAll(view, "trim", { truncated: pruned });
    // A refused request leaves only the newest message.
    const compaction = this.#summarise(view, pruned, isRefused ? 0 : this.#retain);
    if (compaction !== undefined) return isRefused ? { ...compaction, trigger: "overflow" } : compaction;
    return pruned.length === 0 ? undefined : keepingAll(view, "trim", { truncated: pruned });
  }

  compact(view: ContextView): Compaction | undefined {
    return this.#summarise(view, this.#pruned(view), this.#retain);
  }

  /** Long results, with the sizes of their kept parts. */
  #pruned(view: ContextView): Sizes {
    if (this.#plan.settings.prune !== true) return [];
    const { items, columns } = view;
    const sizes: (readonly [ItemIndex, Tokens])[] = [];
    const left = charsOverFour(HEAD_CHARS + MARKER_CHARS + TAIL_CHARS);
    for (let position = 0; position < items.length; position++) {
      const item = items.at(position);
      const isLong = columns.kind[item] === KIND.tool_result && (columns.chars[item] ?? 0) > LONG_RESULT_CHARS;
      if (isLong && items.isWhole(item) && view.tokensOf(item) > left) sizes.push([item, left]);
    }
    return sizes;
  }

  #summarise(view: ContextView, pruned: Sizes, retain: Tokens): Compaction | undefined {
    const { settings } = this.#plan;
    const sizes = new Map(pruned);
    const from = keptFrom(view, sizes, retain);
    if (from <= 0) return undefined;
    let replaced = 0;
    for (let position = 0; position < from; position++) {
      const item = view.items.at(position);
      replaced += sizes.get(item) ?? view.tokensOf(item);
    }
    const summaryCallTokens = callSize(view.overhead + replaced + charsOverFour(INSTRUCTION_CHARS));
    const summaryTokens = numberSetting(settings, "summaryTokens");
    // A summary that saves nothing is refused.
    if (givesNoSummary(settings.failSummary, view.summaryCalls) || summaryTokens >= replaced)
      return keepingAll(view, "failed", { truncated: pruned, summaryCallTokens });
    const kept = endWithCalls(view, from);
    const first = view.items.at(from);
    return bySummary({
      kept,
      truncated: pruned.filter(([item]) => item >= first),
      added: [summaryItem(summaryTokens)],
      summaryTokens,
      summaryCallTokens,
    });
  }
}

/** The last response's total plus the estimate of later items; before the first response, the estimate of the whole request. */
function sizeOf(view: ContextView): Tokens {
  if (view.lastInput <= 0) return view.history;
  return view.lastInput + (view.recordedOutput ?? view.lastOutput) + enteredCount(view);
}

/** The program's own count of the messages after the last response. */
function enteredCount(view: ContextView): Tokens {
  const { items, columns } = view;
  let tokens = 0;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (item >= columns.length || columns.origin[item] === ORIGIN.response) break;
    tokens += countOfBlock(view, item, NO_SIZES) + (isStart(view, position) ? MESSAGE_TOKENS : 0);
  }
  return tokens;
}

const NO_SIZES: ReadonlyMap<ItemIndex, Tokens> = new Map();

/** First position of the newest messages that reach a budget, moved back until no call is open; 0 if no message precedes it. */
function keptFrom(view: ContextView, sizes: ReadonlyMap<ItemIndex, Tokens>, retain: Tokens): number {
  const { items } = view;
  let tokens = 0;
  let from = items.length;
  for (let position = items.length - 1; position >= 0; position--) {
    tokens += countOfBlock(view, items.at(position), sizes);
    if (!isStart(view, position)) continue;
    tokens += MESSAGE_TOKENS;
    from = position;
    if (tokens >= retain) break;
  }
  while (from > 0 && !(isStart(view, from) && isClosed(view, from))) from -= 1;
  return from;
}

/** The program's own count of a block; a result holds a text block. */
function countOfBlock(view: ContextView, item: ItemIndex, sizes: ReadonlyMap<ItemIndex, Tokens>): Tokens {
  const { columns } = view;
  const count = (sizes.get(item) ?? view.countOf(item)) + BLOCK_TOKENS;
  if (columns.kind[item] === KIND.tool_result) return count + BLOCK_TOKENS;
  if (columns.kind[item] !== KIND.tool_call) return count;
  return count + charsOverFour((columns.tables.tools[columns.tool[item] ?? -1] ?? "").length);
}

/** True if a message begins at the position. Every result is a message. */
function isStart({ items, columns }: ContextView, position: number): boolean {
  const item = items.at(position);
  if (position === 0 || item >= columns.length || columns.kind[item] === KIND.tool_result) return true;
  return columns.message[items.at(position - 1)] !== columns.message[item];
}

/** True if no result from a position on answers a call before it. */
function isClosed({ items, columns }: ContextView, from: number): boolean {
  const first = items.at(from);
  for (let position = from; position < items.length; position++) {
    const item = items.at(position);
    const call = columns.kind[item] === KIND.tool_result ? (columns.pair[item] ?? -1) : -1;
    if (call >= 0 && call < first && items.has(call)) return false;
  }
  return true;
}
