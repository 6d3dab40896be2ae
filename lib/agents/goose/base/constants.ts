import type { Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** File of the program's rules. Source: README.md, "Rules". */
export const COMPACTION_CODE: Source = {
  kind: "code",
  text: "aaif-goose/goose 006bd233, crates/goose/src/context_mgmt/mod.rs",
};

/** Share of the window above which a turn begins with a compaction. */
export const COMPACTION_THRESHOLD: Share = 0.8;

/** The sentence after a summary that asks the model to go on, between turns and within one, as o200k counts it. */
export const CONTINUATION_TOKENS: Tokens = 75;
export const TOOL_LOOP_TOKENS: Tokens = 80;

/** Percentages of results that a summary call omits, tried in order until it fits. */
export const REMOVED_PERCENT: readonly number[] = [0, 10, 20, 50, 100];
