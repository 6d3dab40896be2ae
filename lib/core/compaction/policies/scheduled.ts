import type { RequestIndex } from "../../base/units";
import type { Policy, PolicyChosen } from "../policy/policy";

/** Schedules of a run: the policy's own rule, or the hindsight optimum with the lowest total cost. */
export const SCHEDULES = ["own", "best"] as const;

export type Schedule = (typeof SCHEDULES)[number];

/** Actions of a schedule in pauses, in minutes and by the request that ends the pause. */
interface PauseSchedule {
  /** Minutes after which a compaction of the schedule is made during the pause, instead of right before the request. */
  readonly compactAfter?: ReadonlyMap<RequestIndex, number>;
  /** Minutes during which the cache is kept alive. */
  readonly keepAlive?: ReadonlyMap<RequestIndex, number>;
}

/**
 * Policy that compacts like another one, but exactly before these requests, at any size. It acts in no other pauses than the schedule's.
 * @param policy one that can be scheduled: `canBeScheduled`
 */
export function scheduledPolicy(
  policy: Policy,
  requests: ReadonlySet<RequestIndex>,
  { compactAfter, keepAlive }: PauseSchedule = {},
): Policy {
  return {
    ...policy,
    begin: (plan) => {
      const run = policy.begin(plan);
      return {
        before: (view) => (requests.has(view.request) ? run.compact?.(view) : undefined),
        ...(compactAfter !== undefined && {
          idle: (view) => {
            const afterMinutes = compactAfter.get(view.request);
            const compaction = afterMinutes === undefined ? undefined : run.compact?.(view);
            return compaction && { ...compaction, afterMinutes: afterMinutes ?? 0 };
          },
        }),
        // Only the schedule acts in pauses, whatever the settings.
        keepAlive: (request) => keepAlive?.get(request) ?? 0,
      };
    },
  };
}

/**
 * True if a policy, as chosen, can be scheduled. A policy that also clears, masks or shortens between its compactions cannot: the times of its
 * compactions are only a part of its behaviour.
 */
export function canBeScheduled({ summarises, looksBack }: Policy, chosen: PolicyChosen): boolean {
  return summarises !== false && looksBack?.(chosen) !== true;
}
