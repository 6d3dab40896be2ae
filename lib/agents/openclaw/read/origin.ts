import type { MessageContent } from "../../entry-tree/nodes";
import { messageOrigin } from "../../entry-tree/reader";

/** Prompts that the gateway sends instead of a person. Source: openclaw@2026.2.1, heartbeat, memory-flush, commands. */
const OWN_PROMPTS = [
  "Read HEARTBEAT.md if it exists",
  "Pre-compaction memory flush.",
  "A new session was started via /new or /reset.",
  "(session bootstrap)",
  "[cron:",
];

/** Origin of a message with this role whose text starts like this. */
export function originOf(role: string, text: string): MessageContent["origin"] | undefined {
  const origin = messageOrigin(role);
  return origin === "typed" && OWN_PROMPTS.some((prompt) => text.startsWith(prompt)) ? "context" : origin;
}
