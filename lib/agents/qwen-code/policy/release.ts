import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen, PolicyPlan, PolicyRun, ThresholdRule } from "@/lib/core/compaction/policy/policy";
import type { QwenCodeMeasure } from "./measures";

/** The rules of one release. */
export interface Release {
  /** The measure with the length of a tool's output after the release's limits. */
  readonly enteredMeasure: QwenCodeMeasure;
  readonly looksBack: boolean;
  /** The threshold to draw: the rest of the window is the buffer that the release's `/context` shows, rounded as there. */
  readonly threshold: (chosen: PolicyChosen) => Tokens;
  readonly thresholdRule?: ThresholdRule;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}
