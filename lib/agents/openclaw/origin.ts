import type { Message } from "@/lib/core/transcript/model";

/** Where a message's role puts it; responses are a kind of their own. Absent: no message of the conversation. */
const ORIGINS: Readonly<Record<string, Exclude<Message["origin"], "response">>> = {
  user: "typed",
  toolResult: "tool",
  bashExecution: "context",
  custom: "context",
  hookMessage: "context",
  branchSummary: "context",
  compactionSummary: "context",
};

/** Prompts that the gateway sends in a person's place. Source: openclaw@2026.2.1, heartbeat, memory-flush, commands. */
const OWN_PROMPTS = [
  "Read HEARTBEAT.md if it exists",
  "Pre-compaction memory flush.",
  "A new session was started via /new or /reset.",
  "(session bootstrap)",
  "[cron:",
];

/** Origin of a message of this role that starts with this text. */
export function originOf(role: string, text: string): Exclude<Message["origin"], "response"> | undefined {
  const origin = Object.hasOwn(ORIGINS, role) ? ORIGINS[role] : undefined;
  return origin === "typed" && OWN_PROMPTS.some((prompt) => text.startsWith(prompt)) ? "context" : origin;
}

/** Whether messages of a role are known, responses included. */
export function isKnownRole(role: string): boolean {
  return role === "assistant" || Object.hasOwn(ORIGINS, role);
}
