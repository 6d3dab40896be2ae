import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { rentToBuyPolicy } from "@/lib/core/compaction/policies/rent-to-buy";
import type { Policy } from "@/lib/core/compaction/policy";
import { PolicyError } from "@/lib/core/compaction/policy-error";
import type { AgentProfile } from "./profile";
import { PROFILES } from "./profiles";

/** The agents' own policies; not every agent has one. */
export function agentPolicies(): readonly Policy[] {
  return Object.values<AgentProfile>(PROFILES).flatMap(({ policy }) => policy ?? []);
}

const all: Policy[] = [...agentPolicies(), customPolicy, rentToBuyPolicy, nonePolicy, recordedPolicy];

/** How many of them come with the program. */
const OURS = all.length;

/** Every policy that can be replayed: the agents' own, then ours, then those that were added. */
export const POLICIES: readonly Policy[] = all;

/** Adds somebody else's policy, for this process. Throws where its id is taken. */
export function addPolicy(policy: Policy): void {
  if (policyById(policy.id) !== undefined) throw new Error(`There is a policy ${policy.id} already.`);
  all.push(policy);
}

/** Puts somebody else's policy in the place of one that was added under its id, or at the end. Throws `PolicyError` where its id is that of one of ours. */
export function replacePolicy(policy: Policy): void {
  const at = all.findIndex(({ id }) => id === policy.id);
  if (at >= 0 && at < OURS) {
    throw new PolicyError(
      `${policy.own ?? policy.id}: there is a policy ${policy.id} already; give the file another name.`,
    );
  }
  if (at < 0) all.push(policy);
  else all[at] = policy;
}

/** The policy with an id (docs/interfaces.md, "Ids"); `undefined` for ids that this build does not know. */
export function policyById(id: string): Policy | undefined {
  return POLICIES.find((policy) => policy.id === id);
}
