import type { Reader } from "@/lib/core/transcript/reader";
import { claudeCodeReader } from "./claude-code/reader";
import { clawdcodeReader } from "./clawdcode/reader";
import { codexReader } from "./codex/reader";
import { geminiReader } from "./gemini-cli/reader";
import { miniClaudeCodeReader } from "./mini-claude-code/reader";
import { openClawReader } from "./openclaw/reader";
import { opencodeReader } from "./opencode/reader";
import { piReader } from "./pi/reader";
import type { AgentId } from "./profiles";
import { qwenCodeReader } from "./qwen-code/reader";

/** Every agent's reader, server half. */
export const READERS = {
  "claude-code": claudeCodeReader,
  clawdcode: clawdcodeReader,
  codex: codexReader,
  "gemini-cli": geminiReader,
  "mini-claude-code": miniClaudeCodeReader,
  openclaw: openClawReader,
  opencode: opencodeReader,
  pi: piReader,
  "qwen-code": qwenCodeReader,
} as const satisfies Record<AgentId, Reader>;

/** The reader that recognises the first records; `undefined` when none does. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return Object.values(READERS).find((reader) => reader.sniff(head));
}
