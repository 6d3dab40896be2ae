import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import type { Range, TurnStarts } from "./cut";

/** The rules of one release. */
export interface Release {
  /** The size that is compared within a run; absent where the release does not look there. @param used the last response's total */
  readonly comparedWithin?: (view: ContextView, used: Tokens) => Tokens;
  /** True if it starts after everything that the previous compaction kept, and so loses that; otherwise it starts after the summary. */
  readonly losesKept: boolean;
  /** Position from which everything stays; −1 where nothing is done. */
  readonly cut: (view: ContextView, range: Range, keepRecentTokens: Tokens) => number;
  /** What starts a turn, which a cut may split. */
  readonly turns: TurnStarts;
  /** True if the previous summary stays where only a turn's beginning is summarised. */
  readonly carriesSummary: boolean;
  /** True if the summarising model is sent reasoning; pictures it never is. */
  readonly sendsReasoning: boolean;
  /** The most that it is sent of a result. */
  readonly mostOfResult: Tokens;
}
