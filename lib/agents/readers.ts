import type { Reader } from "@/lib/core/transcript/reader";
import { claudeCodeReader } from "./claude-code/reader";
import { codexReader } from "./codex/reader";
import { piReader } from "./pi/reader";
import type { AgentId } from "./profiles";

/** Every agent's reader, server half. */
export const READERS = {
  "claude-code": claudeCodeReader,
  codex: codexReader,
  pi: piReader,
} as const satisfies Record<AgentId, Reader>;

/** The reader that recognises the first records; `undefined` when none does. */
export function sniffReader(head: readonly Readonly<Record<string, unknown>>[]): Reader | undefined {
  return Object.values(READERS).find((reader) => reader.sniff(head));
}
