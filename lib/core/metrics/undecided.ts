import type { RequestIndex, Tokens } from "../base/units";
import type { Compaction, ContextView, Policy, PolicyPlan, PolicyRun } from "../compaction/policy";
import type { EstimateError } from "./estimate-error";

/** A request before which the error of an estimate decides whether a policy compacts. */
export interface Undecided {
  readonly request: RequestIndex;
  /** By how much the estimate may be off. */
  readonly error: Tokens;
}

/**
 * A policy that compacts where it would whatever the error of the last response's estimate, and that asks `decide` where the error matters. The
 * program itself knew the output of that response by its usage; where the file does not record it, an estimate stands for it. Once the policy has
 * compacted, its later state is its own, and nothing is undecided any more.
 * @param error of an estimate
 * @param decide says whether the policy compacts
 */
export function decidedPolicy(policy: Policy, error: EstimateError, decide: (undecided: Undecided) => boolean): Policy {
  return { ...policy, begin: (plan) => decidedRun(policy, plan, error, decide) };
}

function decidedRun(
  policy: Policy,
  plan: PolicyPlan,
  error: EstimateError,
  decide: (undecided: Undecided) => boolean,
): PolicyRun {
  let certain = policy.begin(plan);
  let possible: PolicyRun | undefined = policy.begin(plan);
  return {
    before: (view) => {
      if (possible === undefined) return certain.before(view);
      const by = error(view.lastOutput);
      const answer = certain.before(withOutput(view, view.lastOutput - by));
      const other = possible.before(withOutput(view, view.lastOutput + by));
      if (answer !== undefined) {
        possible = undefined;
        return answer;
      }
      if (other === undefined) return undefined;
      if (!summarises(other)) {
        // It did not happen, so nothing may remember it.
        possible = policy.begin(plan);
        return undefined;
      }
      const compacts = decide({ request: view.request, error: by });
      // One of the two runs is what happened; the other is started anew, or is not needed any more.
      if (compacts) certain = possible;
      possible = compacts ? undefined : policy.begin(plan);
      return compacts ? other : undefined;
    },
  };
}

/** Whether a recording would call this a compaction: clearing and pruning do not count. */
export function summarises({ outcome }: Pick<Compaction, "outcome">): boolean {
  return outcome === "summary" || outcome === "fallback";
}

/** The view with another estimate of the last response. */
function withOutput(view: ContextView, lastOutput: Tokens): ContextView {
  const shown: ContextView = Object.create(view, { lastOutput: { value: Math.max(0, lastOutput) } });
  return shown;
}
