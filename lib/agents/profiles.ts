import { claudeCode } from "./claude-code";
import { codex } from "./codex";
import { pi } from "./pi";
import type { AgentProfile } from "./profile";

/** Every agent, browser-safe half. Adding an agent is one line here; the compiler then asks for its line in `readers.ts`. */
export const PROFILES = {
  "claude-code": claudeCode,
  codex,
  pi,
} as const satisfies Record<string, AgentProfile>;

export type AgentId = keyof typeof PROFILES;

/** The profile of an agent id; `undefined` for formats without an agent and for ids from a newer build. */
export function profileOf(agent: string | null): AgentProfile | undefined {
  return agent !== null && Object.hasOwn(PROFILES, agent) ? PROFILES[agent as AgentId] : undefined;
}
