import { server as apiLog } from "./api-log/server";
import { server as atif } from "./atif/server";
import { server as chat } from "./chat/server";
import { server as claudeCode } from "./claude-code/server";
import { server as clawdcode } from "./clawdcode/server";
import { server as codex } from "./codex/server";
import type { FormatId } from "./formats";
import { server as geminiCli } from "./gemini-cli/server";
import { server as miniClaudeCode } from "./mini-claude-code/server";
import { server as openClaw } from "./openclaw/server";
import { server as opencode } from "./opencode/server";
import { server as pi } from "./pi/server";
import { server as qwenCode } from "./qwen-code/server";
import type { ServerHalf } from "./server-half";

/** Every format's server half. */
export const SERVER_HALVES: Readonly<Record<FormatId, ServerHalf>> = {
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
  "api-log": apiLog,
  chat,
};

/** The server half of a format or an agent; `undefined` for `null` and for ids that this build does not know. */
export function serverHalfOf(id: string | null): ServerHalf | undefined {
  return id !== null && Object.hasOwn(SERVER_HALVES, id) ? SERVER_HALVES[id as FormatId] : undefined; // The id is a key of the registry.
}
