import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";
import { atif } from "./atif";
import { claudeCode } from "./claude-code";
import { clawdcode } from "./clawdcode";
import { codex } from "./codex";
import { geminiCli } from "./gemini-cli";
import { miniClaudeCode } from "./mini-claude-code";
import type { AgentId } from "./names";
import { openClaw } from "./openclaw";
import { opencode } from "./opencode";
import { pi } from "./pi";
import type { AgentProfile } from "./profile";
import { qwenCode } from "./qwen-code";

/** The browser-safe half of every agent. Adding an agent is one line in `names.ts`; the compiler then asks for its lines here and in `server-halves.ts`. */
export const PROFILES = {
  atif,
  "claude-code": claudeCode,
  clawdcode,
  codex,
  "gemini-cli": geminiCli,
  "mini-claude-code": miniClaudeCode,
  openclaw: openClaw,
  opencode,
  pi,
  "qwen-code": qwenCode,
} as const satisfies Record<AgentId, AgentProfile>;

/** The profile of the agent with an id; `undefined` for formats without an agent and for ids from a newer build. */
export function profileOf(agent: string | null): AgentProfile | undefined {
  return agent !== null && Object.hasOwn(PROFILES, agent) ? PROFILES[agent as AgentId] : undefined;
}

/** The public vocabulary that an estimator counts with; `undefined` for rules that compute from sizes. */
export function vocabularyOf(estimator: string): Vocabulary | undefined {
  if (estimator === "o200k" || estimator === "cl100k") return estimator;
  return Object.values<AgentProfile>(PROFILES).find(({ vocabularies }) => vocabularies?.[estimator])?.vocabularies?.[
    estimator
  ];
}
