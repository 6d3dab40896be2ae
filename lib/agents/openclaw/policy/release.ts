import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen, PolicyPlan, PolicyRun, ThresholdRule } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { reserveInForce } from "../base/constants";
import type { ResultChars } from "./result-chars";

/** The rules of one release. */
export interface Release {
  /** The size above which it compacts. */
  readonly threshold: (chosen: PolicyChosen) => Tokens;
  readonly thresholdRule?: ThresholdRule;
  readonly looksBack: (chosen: PolicyChosen) => boolean;
  /** Sizes of results, recorded and on entry. */
  readonly results: ResultChars;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}

/** Tokens that stay free below the window: the set reserve, or the floor if that is larger. */
export function reserveOf({ settings }: Pick<PolicyChosen, "settings">): Tokens {
  return reserveInForce(numberSetting(settings, "reserveTokens"), numberSetting(settings, "reserveTokensFloor"));
}

/** True if old results are pruned after an idle time. */
export function isPruned({ settings }: Pick<PolicyChosen, "settings">): boolean {
  return settings.pruning === "cache-ttl";
}
