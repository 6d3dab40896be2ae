import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import type { Range, TurnStarts } from "./cut";

/** The rules of one release. */
export interface Release {
  /**
   * The size that is compared within a run; absent if the release does not compact there.
   * @param used the last response's total
   */
  readonly comparedWithin?: (view: ContextView, used: Tokens) => Tokens;
  /** True if it starts after all items that the previous compaction kept, and so loses them; otherwise it starts after the summary. */
  readonly losesKept: boolean;
  /** Position from which everything is kept; −1 if nothing is done. */
  readonly cut: (view: ContextView, range: Range, keepRecentTokens: Tokens) => number;
  /** Messages that start a turn, which a cut may split. */
  readonly turns: TurnStarts;
  /** True if the previous summary is kept when only a turn's beginning is summarised. */
  readonly carriesSummary: boolean;
  /** True if the summarising model receives reasoning; it never receives images. */
  readonly sendsReasoning: boolean;
  /** Maximum tokens of a result that it receives. */
  readonly maxResultTokens: Tokens;
}
