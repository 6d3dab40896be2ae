import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";

/** The rules of one release. */
export interface Release {
  /** Context size that always triggers a compaction; `undefined` without a limit. */
  readonly threshold: (chosen: PolicyChosen) => Tokens | undefined;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}
