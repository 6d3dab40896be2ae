import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";
import type { QwenCodeMeasure } from "./measures";

/** The rules of one release. */
export interface Release {
  /** Says how long a tool's output is under the release's limits, where they cut it. */
  readonly enteredMeasure: QwenCodeMeasure;
  readonly looksBack: boolean;
  /** Drawn so that what is left of the window is the buffer that its `/context` shows, rounded as there. */
  readonly threshold: (chosen: PolicyChosen) => Tokens;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}
