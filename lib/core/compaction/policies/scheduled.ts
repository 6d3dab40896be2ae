import type { RequestIndex } from "../../base/units";
import type { Policy, PolicyChosen } from "../policy/policy";

/** When a run compacts: by its policy's rule, or at the times at which the whole would have cost least, which only hindsight knows. */
export const SCHEDULES = ["own", "best"] as const;

export type Schedule = (typeof SCHEDULES)[number];

/**
 * A policy that compacts as another one does, but before these requests and no others, whatever the size.
 * @param policy one that can be scheduled: `canBeScheduled`
 */
export function scheduledPolicy(policy: Policy, requests: ReadonlySet<RequestIndex>): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const run = policy.begin(plan);
      return { before: (view) => (requests.has(view.request) ? run.compact?.(view) : undefined) };
    },
  };
}

/**
 * Whether a policy, as chosen, can be scheduled. One that also clears, masks or shortens between its compactions cannot: when it compacts is then only
 * a part of what it does.
 */
export function canBeScheduled({ summarises, looksBack }: Policy, chosen: PolicyChosen): boolean {
  return summarises !== false && looksBack?.(chosen) !== true;
}
