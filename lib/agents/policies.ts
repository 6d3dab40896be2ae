import type { Policy } from "@/lib/core/compaction/policy";
import type { AgentProfile } from "./profile";
import { PROFILES } from "./profiles";

/** The agents' own policies; not every agent has one. */
export function agentPolicies(): readonly Policy[] {
  return Object.values<AgentProfile>(PROFILES).flatMap(({ policy }) => policy ?? []);
}

export { addPolicy, POLICIES, policyById, replacePolicy } from "./loaded";
