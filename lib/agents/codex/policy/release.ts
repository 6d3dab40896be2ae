import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen, PolicyPlan, PolicyRun } from "@/lib/core/compaction/policy";

/** The rules of one release. */
export interface Release {
  /** The size at which it compacts at the latest; `undefined` where there is no limit. */
  readonly threshold: (chosen: PolicyChosen) => Tokens | undefined;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}
