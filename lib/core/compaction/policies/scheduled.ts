import type { RequestIndex } from "../../base/units";
import type { Policy, PolicyChosen } from "../policy/policy";

/** Schedules of a run: the policy's own rule, or the hindsight optimum with the lowest total cost. */
export const SCHEDULES = ["own", "best"] as const;

export type Schedule = (typeof SCHEDULES)[number];

/**
 * Policy that compacts like another one, but exactly before these requests, at any size.
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
 * Checks that a policy, as chosen, can be scheduled. A policy that also clears, masks or shortens between its compactions cannot: the times of its
 * compactions are only a part of its behaviour.
 */
export function canBeScheduled({ summarises, looksBack }: Policy, chosen: PolicyChosen): boolean {
  return summarises !== false && looksBack?.(chosen) !== true;
}
