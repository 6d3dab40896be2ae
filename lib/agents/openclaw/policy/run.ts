import type { Chars, ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import { type FileList, filesOfCalls } from "@/lib/core/compaction/file-list";
import type {
  Compaction,
  ContextView,
  PolicyMetrics,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import { bySummary, keepingAll, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithoutCallsBefore } from "@/lib/core/compaction/selection";
import { CUT, memoryFlushThreshold } from "../base/constants";
import { cutOf, cutsOf, isRunStart, lastRecorded, runEnd } from "./context-units";
import type { ColumnCut } from "./cut";
import { heldView, type ItemsView } from "./pairing";
import { Pruning, type PruningRule } from "./pruning";
import { isPruned } from "./release";
import type { Range } from "./unit-sums";

/** Differences between the releases' runs, besides comparison, cut and summary. */
export interface RunRule {
  readonly threshold: Tokens;
  /** In a smaller window no run begins. */
  readonly leastWindow: Tokens;
  readonly pruning: PruningRule;
}

/** Cut of a compaction, within the range that it looks at. */
export interface PlannedCut extends ColumnCut {
  readonly range: Range;
}

/** The reason for a compaction. */
type Cause = "threshold" | "overflow";

/** The summary that the last compaction put at the front. */
interface OwnSummary {
  readonly tokens: Tokens;
  /** Its length; known only for a note that replaces a summary. */
  readonly chars: Chars | undefined;
  readonly files: FileList;
  /** The last row when it was made; the kept part of the compaction is before it. */
  readonly through: ItemIndex;
  /** Number of items that the policy had added by then, including this one. */
  readonly added: number;
}

/** A summary, or the note that replaces it. */
interface Made extends Pick<OwnSummary, "tokens" | "chars"> {
  readonly isNote: boolean;
  /** The files that it lists in addition to its own. */
  readonly carries: FileList | undefined;
  readonly callTokens: Tokens;
  readonly figures: PolicyMetrics;
}

/** OpenClaw's context management, as far as its releases agree. */
export abstract class OpenClawRun implements PolicyRun {
  protected readonly settings: Settings;
  readonly #preset: string;
  protected readonly threshold: Tokens;
  protected readonly keepRecentTokens: Tokens;
  protected readonly maxHistoryShare: Share;
  protected readonly summaryTokens: Tokens;
  /** The summary at the front; absent if none was made, or if it was dropped with turns that are no longer sent. */
  protected summary: OwnSummary | undefined;
  /** The last recorded row before every compaction so far. */
  protected readonly compactedRows: ItemIndex[] = [];
  readonly #leastWindow: Tokens;
  /** 0 if memories are never written down. */
  readonly #flushThreshold: Tokens;
  readonly #historyTurns: number;
  readonly #pruning: Pruning | undefined;
  /** Number of summaries so far. */
  #summaries = 0;
  /** Number of summaries when memories were last written down. */
  #flushedFor: number | undefined;
  /** Number of added items so far. */
  #added = 0;

  constructor(plan: PolicyPlan, { threshold, leastWindow, pruning }: RunRule) {
    const { settings, window, own = false } = plan;
    const number = (key: string) => numberSetting(settings, key);
    this.settings = settings;
    this.#preset = plan.preset;
    this.threshold = threshold;
    this.keepRecentTokens = number("keepRecentTokens");
    this.maxHistoryShare = number("maxHistoryShare");
    this.summaryTokens = number("summaryTokens");
    this.#leastWindow = leastWindow;
    const flushThreshold = memoryFlushThreshold(window, number("reserveTokensFloor"), number("memoryFlushTokens"));
    // OpenClaw's own recording already has this turn.
    this.#flushThreshold = own ? 0 : flushThreshold;
    this.#historyTurns = number("historyTurns");
    this.#pruning = isPruned(plan) ? new Pruning(plan, pruning) : undefined;
  }

  /** Tokens by which the size compared between runs exceeds the threshold. */
  protected abstract tokensAbove(view: ContextView): Tokens;
  /** Action above the threshold. */
  protected abstract fitted(view: ContextView, above: Tokens): Compaction | undefined;
  /** Its cut after the last summary, up to a position; absent if there is nothing to cut off. */
  protected abstract cutAfterSummary(view: ContextView, to: number): PlannedCut | undefined;
  protected abstract replaced(view: ContextView, cut: PlannedCut): Retention;

  /** Takes the first of these that applies: a refused window, a compaction, fewer turns, memories, pruning. */
  before(view: ContextView): Compaction | undefined {
    const isStart = isRunStart(view);
    if (view.window < this.#leastWindow) return isStart ? unchanged(view, "blocked") : undefined;
    return (
      this.#compaction(view, isStart) ??
      (isStart ? (this.#fewerTurns(view) ?? this.#memoryFlush(view)) : undefined) ??
      this.#pruned(view)
    );
  }

  compact(view: ContextView): Compaction | undefined {
    return this.compacted(view, isRunStart(view) ? "threshold" : "overflow");
  }

  /** Between runs it compares the last response's total, or an estimate of the prompt; a prompt above the window fails at any time. */
  #compaction(view: ContextView, isStart: boolean): Compaction | undefined {
    const above = isStart ? this.tokensAbove(view) : 0;
    if (above > 0) return this.fitted(view, above);
    return view.history > view.window ? this.compacted(view, "overflow") : undefined;
  }

  /**
   * A compaction looks at messages after the last one; between runs up to the run's end, as the new prompt is not in the session yet. Nothing happens
   * without new messages, or if there is nothing to cut off.
   */
  protected compacted(view: ContextView, trigger: Cause): Compaction | undefined {
    const to = trigger === "threshold" ? runEnd(view) : view.items.length;
    if (to > 0 && this.wasThere(view, view.items.at(to - 1))) return undefined;
    const cut = this.cutAfterSummary(view, to);
    return cut === undefined ? undefined : { ...this.replaced(view, cut), trigger };
  }

  /** True if an item was there when the last summary was made. */
  protected wasThere({ columns }: ContextView, item: ItemIndex): boolean {
    if (this.summary === undefined) return false;
    return item < columns.length ? item <= this.summary.through : item - columns.length < this.summary.added;
  }

  /** Puts a summary before the kept items. */
  protected put(view: ContextView, { range, at }: PlannedCut, made: Made): Retention {
    const { tokens, chars, isNote, carries, callTokens, figures: metrics } = made;
    const files = filesOfCalls(view, { from: range.from, to: at }, FILE_TOOLS, carries);
    this.#added += 1;
    const through = lastRecorded(view, range.to);
    this.compactedRows.push(through);
    this.#summaries += 1;
    this.summary = { tokens, chars, files, through, added: this.#added };
    const item: SyntheticItem = {
      ...summaryItem(tokens),
      ...(isNote ? { name: "summaryNote", label: "note in a summary's place" } : {}),
      get files() {
        return files.names;
      },
    };
    return bySummary({
      kept: endWithoutCallsBefore(view, at),
      added: [item],
      outcome: isNote ? "fallback" : "summary",
      summaryTokens: callTokens > 0 ? tokens : 0,
      summaryCallTokens: callTokens,
      figures: metrics,
    });
  }

  /** Keeps the newest turns of a direct chat; only turns before the new prompt count. */
  #fewerTurns(view: ContextView): Compaction | undefined {
    const limit = this.#historyTurns;
    if (limit <= 0) return undefined;
    const starts: number[] = [];
    const cuts = cutsOf(view.columns);
    const end = runEnd(view);
    for (let position = 0; position < end; position++) {
      const item = view.items.at(position);
      if ((cuts[item] ?? cutOf(view, item)) === CUT.TURN) starts.push(position);
    }
    const from = starts.at(-limit) ?? 0;
    if (starts.length <= limit || from === 0) return undefined;
    this.summary = undefined;
    const kept = endWithoutCallsBefore(view, from);
    return { ...unchanged(view, "skipped"), kept, outcome: "trim" };
  }

  /** Shortly before the threshold, memories are written down in a turn of its own, once for every summary. */
  #memoryFlush(view: ContextView): Compaction | undefined {
    if (this.#flushThreshold <= 0 || view.lastInput < this.#flushThreshold) return undefined;
    if (this.#flushedFor === this.#summaries) return undefined;
    this.#flushedFor = this.#summaries;
    this.#added += 1;
    return keepingAll(view, "skipped", { added: [MEMORY_TURN], summaryCallTokens: view.history });
  }

  /** The context in the sizes of the stored session, which compactions use. */
  protected held(view: ContextView): ItemsView {
    return heldView(view, this.#preset);
  }

  /** The last response's total; its output is the recorded one while the replay follows the recording. */
  protected used(view: ContextView): Tokens {
    return view.lastInput + (view.recordedOutput ?? view.lastOutput);
  }

  #pruned(view: ContextView): Compaction | undefined {
    const pruned = this.#pruning?.before(view);
    return pruned && keepingAll(view, "clear", pruned);
  }
}

/** Tools whose files a summary lists, matched case-insensitively for other agents' recordings. */
const FILE_TOOLS = new Set(["read", "write", "edit"]);

/** The prompt of the silent turn and its usual answer. Source: README.md, "When it compacts", 152 and 8 chars. */
const FLUSH_TURN_TOKENS: Tokens = 40;

const MEMORY_TURN: SyntheticItem = {
  kind: "turn",
  name: "memoryTurn",
  category: "other",
  tokens: FLUSH_TURN_TOKENS,
  label: "turn in which memories are written down",
};

/** The history that a cut leaves to be summarised, and the beginning of a turn that it splits. */
export function summarised({ range, at, turnStart }: PlannedCut): { readonly history: Range; readonly prefix: Range } {
  const historyEnd = turnStart >= 0 ? turnStart : at;
  return { history: { from: range.from, to: historyEnd }, prefix: { from: historyEnd, to: at } };
}
