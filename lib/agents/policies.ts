import type { AgentProfile, BrowserProfile } from "@/lib/agents/shared/profile";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { rentToBuyPolicy } from "@/lib/core/compaction/policies/rent-to-buy";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { AGENT_SUMMARIES, AGENTS, type AgentId } from "./agents";

/**
 * The agents whose profiles this process has: every one if `registry.ts` is among the modules, as in all programs. A page has those of its recording
 * and of the chosen policies.
 */
const profiles = new Map<string, AgentProfile>();

const ours: readonly Policy[] = [customPolicy, rentToBuyPolicy, nonePolicy, recordedPolicy];

/** Policies added by other programs. */
const added: Policy[] = [];

const all: Policy[] = [...ours];

/** The agents' own policies; not every agent has one. */
export function agentPolicies(): readonly Policy[] {
  return AGENT_SUMMARIES.flatMap(({ id }) => profiles.get(id)?.policy ?? []);
}

/** Every policy that can be replayed: those of the loaded agents, then ours, then the added ones. */
export const POLICIES: readonly Policy[] = all;

/** Id and label of a policy. */
export type PolicyName = Pick<Policy, "id" | "label">;

/** Makes profiles known, by the ids of their agents. */
export function addProfiles(loaded: Readonly<Partial<Record<AgentId, BrowserProfile>>>): void {
  for (const summary of AGENT_SUMMARIES) {
    const browserProfile = loaded[summary.id as AgentId]; // The id is a key of the table.
    if (browserProfile !== undefined) profiles.set(summary.id, { ...summary, ...browserProfile });
  }
  list();
}

/** Loads the profiles of agents by their ids; loaded agents and unknown ids take no time. Rejects if a part cannot be loaded. */
export async function loadAgents(ids: readonly string[]): Promise<void> {
  const missing = ids.filter((id): id is AgentId => !isLoaded(id) && Object.hasOwn(AGENTS, id));
  const loaded = await Promise.all(missing.map(async (id) => [id, (await AGENTS[id].profile()).profile] as const));
  if (loaded.length > 0) addProfiles(Object.fromEntries(loaded));
}

/** Loads every agent's profile. */
export function loadAllAgents(): Promise<void> {
  return loadAgents(Object.keys(AGENTS));
}

function list(): void {
  all.splice(0, all.length, ...agentPolicies(), ...ours, ...added);
}

/** True if an agent's profile is loaded, or if the id is not an agent's. */
export function isLoaded(agent: string): boolean {
  return profiles.has(agent) || AGENT_SUMMARIES.every(({ id }) => id !== agent);
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
  return [...AGENT_SUMMARIES.filter(({ hasPolicy }) => hasPolicy), ...ours, ...added];
}

/** Adds another program's policy, for this process. Throws if its id is taken. */
export function addPolicy(policy: Policy): void {
  if (policyNames().some(({ id }) => id === policy.id)) throw new Error(`There is a policy ${policy.id} already.`);
  added.push(policy);
  list();
}

/** Replaces an added policy with the same id, or appends the policy. Throws `PolicyError` if the id is that of one of ours. */
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

/** Number of calls of `whenLoaded`, to recognise the latest. */
let latestCall = 0;

/**
 * Runs an action that needs an agent's policy: now if its profile is loaded, else after loading it, unless another policy has been requested by
 * then. Does nothing if the profile cannot be loaded.
 */
export function whenLoaded(policy: string, action: () => void): void {
  latestCall += 1;
  const own = latestCall;
  const actUnlessLater = () => {
    if (own === latestCall) action();
  };
  if (isLoaded(policy)) action();
  else loadAgents([policy]).then(actUnlessLater, () => undefined); // The server is unreachable; the next choice tries again.
}
