import type { Share, Tokens } from "@/lib/core/base/units";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";
import type { Settings } from "@/lib/core/compaction/settings/settings";

/** What comes before the messages that stay, and how it was made. */
export interface Front {
  readonly item: SyntheticItem;
  readonly outcome: "summary" | "fallback";
  /** The share of the messages that stays. */
  readonly retain: Share;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
}

/** The rules of one release: who makes the summary, and what replaces it where there is none. */
export type Release = (settings: Settings) => (view: ContextView) => Front;
