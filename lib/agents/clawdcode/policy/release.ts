import type { Share, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import type { Settings } from "@/lib/core/compaction/settings";

/** What stands in front of the messages that stay, and how it came about. */
export interface Front {
  readonly item: SyntheticItem;
  readonly outcome: "summary" | "fallback";
  /** How much of the messages stays. */
  readonly retain: Share;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
}

/** The rules of one release: who makes the summary, and what stands in its place where none came. */
export type Release = (settings: Settings) => (view: ContextView) => Front;
