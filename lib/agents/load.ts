import { addProfiles, isLoaded } from "./loaded";
import { AGENT_NAMES, type AgentId } from "./names";
import type { AgentProfile } from "./profile";

/** The profiles, each a part of its own: a page loads those that it needs. */
const LOADERS = {
  atif: async () => (await import("./atif")).atif,
  "claude-code": async () => (await import("./claude-code")).claudeCode,
  clawdcode: async () => (await import("./clawdcode")).clawdcode,
  codex: async () => (await import("./codex")).codex,
  "gemini-cli": async () => (await import("./gemini-cli")).geminiCli,
  "mini-claude-code": async () => (await import("./mini-claude-code")).miniClaudeCode,
  openclaw: async () => (await import("./openclaw")).openClaw,
  opencode: async () => (await import("./opencode")).opencode,
  pi: async () => (await import("./pi")).pi,
  "qwen-code": async () => (await import("./qwen-code")).qwenCode,
} satisfies Record<AgentId, () => Promise<AgentProfile>>;

/** Loads the profiles of agents by their ids; what is loaded already, or no agent's id, takes no time. Rejects where a part cannot be loaded. */
export async function loadAgents(ids: readonly string[]): Promise<void> {
  const missing = ids.filter((id): id is AgentId => !isLoaded(id) && Object.hasOwn(LOADERS, id));
  if (missing.length > 0) addProfiles(await Promise.all(missing.map((id) => LOADERS[id]())));
}

/** Loads every agent's profile. */
export function loadAllAgents(): Promise<void> {
  return loadAgents(Object.keys(AGENT_NAMES));
}

/** How often somebody has asked for a policy. */
let asked = 0;

/**
 * Does what needs an agent's policy: at once where its profile is there, else as soon as it is, unless another policy has been asked for by then. Where
 * it cannot be loaded nothing is done.
 */
export function whenLoaded(policy: string, action: () => void): void {
  asked += 1;
  const own = asked;
  const actUnlessLater = () => {
    if (own === asked) action();
  };
  if (isLoaded(policy)) action();
  else loadAgents([policy]).then(actUnlessLater, () => undefined); // The server is away; whoever chooses it next asks again.
}
