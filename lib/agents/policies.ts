import { customPolicy } from "@/lib/core/compaction/custom";
import { nonePolicy } from "@/lib/core/compaction/none";
import type { Policy } from "@/lib/core/compaction/policy";
import { recordedPolicy } from "@/lib/core/compaction/recorded";
import { PROFILES } from "./profiles";

/** Every policy that can be replayed: the agents' own, then ours. */
export const POLICIES: readonly Policy[] = [
  ...Object.values(PROFILES).flatMap((profile) => ("policy" in profile ? [profile.policy] : [])),
  customPolicy,
  nonePolicy,
  recordedPolicy,
];

/** The policy of an id of interfaces.md; `undefined` for ids that this build does not know. */
export function policyById(id: string): Policy | undefined {
  return POLICIES.find((policy) => policy.id === id);
}
