import type { Reader } from "@/lib/core/transcript/reader";
import { apiLogReader } from "./api-log/reader";
import { atifReader } from "./atif/reader";
import { chatReader } from "./chat/reader";
import { claudeCodeReader } from "./claude-code/reader";
import { clawdcodeReader } from "./clawdcode/reader";
import { codexReader } from "./codex/reader";
import type { FormatId } from "./formats";
import { geminiReader } from "./gemini-cli/reader";
import { miniClaudeCodeReader } from "./mini-claude-code/reader";
import { openClawReader } from "./openclaw/reader";
import { opencodeReader } from "./opencode/reader";
import { piReader } from "./pi/reader";
import { qwenCodeReader } from "./qwen-code/reader";

/** Every format's reader, server half. */
export const READERS = {
  atif: atifReader,
  "claude-code": claudeCodeReader,
  clawdcode: clawdcodeReader,
  codex: codexReader,
  "gemini-cli": geminiReader,
  "mini-claude-code": miniClaudeCodeReader,
  openclaw: openClawReader,
  opencode: opencodeReader,
  pi: piReader,
  "qwen-code": qwenCodeReader,
  "api-log": apiLogReader,
  chat: chatReader,
} as const satisfies Record<FormatId, Reader>;

const ALL: readonly Reader[] = Object.values(READERS);

/** Where documents hold a list whose objects are their records. */
export const DOCUMENT_LISTS = ALL.flatMap(({ documentList }) => (documentList === undefined ? [] : [documentList]));

/** The reader that recognises the first records; `undefined` when none does. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return ALL.find((reader) => reader.sniff(head));
}

/** The reader of a format; `undefined` for ids that this build does not know. */
export function readerOf(format: string): Reader | undefined {
  return Object.hasOwn(READERS, format) ? READERS[format as FormatId] : undefined; // the registry's own key
}
