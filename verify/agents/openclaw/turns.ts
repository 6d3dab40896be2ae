import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";

/**
 * The newest turns of a history: from its n-th last user message on. Without a limit, or with one of 0 or less, everything is kept. Source:
 * openclaw@2026.2.1, pi-embedded-runner/history.
 */
export function limitTurns(messages: readonly AgentMessage[], limit: number | undefined): readonly AgentMessage[] {
  if (limit === undefined || !(limit > 0)) return messages;
  const starts = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  if (starts.length <= limit) return messages;
  return messages.slice(starts[starts.length - Math.floor(limit)] ?? messages.length);
}
