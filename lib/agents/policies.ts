import { customPolicy } from "@/lib/core/compaction/custom";
import { nonePolicy } from "@/lib/core/compaction/none";
import type { Policy } from "@/lib/core/compaction/policy";
import { recordedPolicy } from "@/lib/core/compaction/recorded";
import { rentToBuyPolicy } from "@/lib/core/compaction/rent-to-buy";
import type { AgentProfile } from "./profile";
import { PROFILES } from "./profiles";

/** The agents' own policies; not every agent has one. */
export function agentPolicies(): readonly Policy[] {
  return Object.values<AgentProfile>(PROFILES).flatMap(({ policy }) => policy ?? []);
}

/** Every policy that can be replayed: the agents' own, then ours. */
export const POLICIES: readonly Policy[] = [
  ...agentPolicies(),
  customPolicy,
  rentToBuyPolicy,
  nonePolicy,
  recordedPolicy,
];

/** The policy with an id (docs/interfaces.md, "Ids"); `undefined` for ids that this build does not know. */
export function policyById(id: string): Policy | undefined {
  return POLICIES.find((policy) => policy.id === id);
}
