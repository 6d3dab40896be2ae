import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { rentToBuyPolicy } from "@/lib/core/compaction/policies/rent-to-buy";
import type { Policy } from "@/lib/core/compaction/policy";
import { PolicyError } from "@/lib/core/compaction/policy-error";
import { AGENT_OUTLINES } from "./outlines";
import type { AgentProfile } from "./profile";

/**
 * The agents whose profiles this process has: every one where `profiles.ts` is among the modules, as in all programs. A page has those of its recording
 * and of the chosen policies (`load.ts`).
 */
const profiles = new Map<string, AgentProfile>();

const ours: readonly Policy[] = [customPolicy, rentToBuyPolicy, nonePolicy, recordedPolicy];

/** Somebody else's. */
const added: Policy[] = [];

const all: Policy[] = [...ours];

/** Every policy that can be replayed: those of the agents that are loaded, then ours, then those that were added. */
export const POLICIES: readonly Policy[] = all;

/** What a policy is called. */
export type PolicyName = Pick<Policy, "id" | "label">;

/** Makes profiles known. */
export function addProfiles(loaded: readonly AgentProfile[]): void {
  for (const profile of loaded) profiles.set(profile.id, profile);
  list();
}

function list(): void {
  const agents = AGENT_OUTLINES.flatMap(({ id }) => profiles.get(id)?.policy ?? []);
  all.splice(0, all.length, ...agents, ...ours, ...added);
}

/** Whether an agent's profile is there; true for whatever is no agent's id. */
export function isLoaded(agent: string): boolean {
  return profiles.has(agent) || AGENT_OUTLINES.every(({ id }) => id !== agent);
}

/** The profile of the agent with an id; `undefined` for formats without an agent, for ids from a newer build, and for agents that are not loaded. */
export function profileOf(agent: string | null): AgentProfile | undefined {
  return agent === null ? undefined : profiles.get(agent);
}

/** The policy with an id (docs/interfaces.md, "Ids"); `undefined` for ids that this build does not know, and for agents that are not loaded. */
export function policyById(id: string): Policy | undefined {
  return POLICIES.find((policy) => policy.id === id);
}

/** All policies by name, in the order of `POLICIES`: also those of agents that are not loaded. */
export function policyNames(): readonly PolicyName[] {
  return [...AGENT_OUTLINES.filter(({ hasPolicy }) => hasPolicy), ...ours, ...added];
}

/** Adds somebody else's policy, for this process. Throws where its id is taken. */
export function addPolicy(policy: Policy): void {
  if (policyNames().some(({ id }) => id === policy.id)) throw new Error(`There is a policy ${policy.id} already.`);
  added.push(policy);
  list();
}

/** Puts somebody else's policy in the place of one that was added under its id, or at the end. Throws `PolicyError` where its id is that of one of ours. */
export function replacePolicy(policy: Policy): void {
  const at = added.findIndex(({ id }) => id === policy.id);
  if (at < 0 && policyNames().some(({ id }) => id === policy.id)) {
    throw new PolicyError(
      `${policy.own ?? policy.id}: there is a policy ${policy.id} already; give the file another name.`,
    );
  }
  if (at < 0) added.push(policy);
  else added[at] = policy;
  list();
}
