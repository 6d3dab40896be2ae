import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import type { Range, TurnStarts } from "./cut";

/** The rules of one release. */
export interface Release {
  /** What is compared within a run, where that is looked at. @param used the last response's total */
  readonly comparedWithin?: (view: ContextView, used: Tokens) => Tokens;
  /** Whether it looks behind the whole previous compaction, and loses what that one kept; else behind its summary. */
  readonly losesKept: boolean;
  /** Position from which everything stays; −1 where nothing is done. */
  readonly cut: (view: ContextView, range: Range, keepRecentTokens: Tokens) => number;
  /** Whose beginning a cut may split. */
  readonly turns: TurnStarts;
  /** Whether the summary before it is kept where only a turn's beginning is summarised. */
  readonly carriesSummary: boolean;
  /** Estimate of what the summarising model is sent of an item. */
  readonly sentTokens: (view: ContextView, item: ItemIndex) => Tokens;
}
