import { atif } from "./atif";
import { claudeCode } from "./claude-code";
import { clawdcode } from "./clawdcode";
import { codex } from "./codex";
import { geminiCli } from "./gemini-cli";
import { addProfiles } from "./loaded";
import { miniClaudeCode } from "./mini-claude-code";
import type { AgentId } from "./names";
import { openClaw } from "./openclaw";
import { opencode } from "./opencode";
import { pi } from "./pi";
import type { AgentProfile } from "./profile";
import { qwenCode } from "./qwen-code";

/** The browser-safe half of every agent. Adding an agent is one line in `names.ts`; the compiler then asks for its lines here, in `outlines.ts`, `load.ts` and `server-halves.ts`. */
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

addProfiles(Object.values(PROFILES));

export { profileOf } from "./loaded";
export { vocabularyOf } from "./outlines";
