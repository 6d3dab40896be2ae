/** What agents are called: their id, their name, and two letters for dense tables. What only names agents loads this and nothing else of them. */
export const AGENT_NAMES = {
  atif: { id: "atif", label: "ATIF", mark: "AT" },
  "claude-code": { id: "claude-code", label: "Claude Code", mark: "CC" },
  clawdcode: { id: "clawdcode", label: "ClawdCode", mark: "Cl" },
  codex: { id: "codex", label: "Codex", mark: "Cx" },
  "gemini-cli": { id: "gemini-cli", label: "Gemini CLI", mark: "Ge" },
  "mini-claude-code": { id: "mini-claude-code", label: "mini-claude-code", mark: "mC" },
  openclaw: { id: "openclaw", label: "OpenClaw", mark: "OC" },
  opencode: { id: "opencode", label: "opencode", mark: "Oc" },
  pi: { id: "pi", label: "pi", mark: "Pi" },
  "qwen-code": { id: "qwen-code", label: "Qwen Code", mark: "Qw" },
} as const satisfies Record<string, AgentName>;

export interface AgentName {
  readonly id: string;
  readonly label: string;
  readonly mark: string;
}

export type AgentId = keyof typeof AGENT_NAMES;

/** What the agent with an id is called; `undefined` for formats without an agent and for ids from a newer build. */
export function agentName(agent: string | null): AgentName | undefined {
  return agent !== null && Object.hasOwn(AGENT_NAMES, agent) ? AGENT_NAMES[agent as AgentId] : undefined;
}
