import { QUOTED_CHARS, QUOTED_REQUESTS } from "@/lib/agents/clawdcode/base/constants";
import type { ClawdcodePreset } from "@/lib/agents/clawdcode/base/presets";
import type { ClawdMessage } from "@/lib/agents/clawdcode/messages/message";
import { AROUND_SUMMARY, contentOf, cut } from "@/lib/agents/clawdcode/summary/summary-prompt";

/** The summary as a message of the history. */
export function summaryMessage(summary: string): ClawdMessage {
  return { role: "user", content: AROUND_SUMMARY.join(summary) };
}

/** The text that replaces a summary if compaction failed. */
export function failureText(retained: number, error: string, preset: ClawdcodePreset): string {
  const later = preset === "current" ? "retrying compaction later with /compact" : "retrying with /compact";
  return [
    "[Automatic compaction failed; using fallback]",
    `An error occurred during compaction. Retained the latest ${retained} messages (~30%).`,
    `Error: ${error}`,
    `The conversation can continue, but consider ${later}.`,
  ].join("\n\n");
}

/**
 * The summary made without a model: counts, and the beginnings of the newest user messages. Throws if one of those has no content, as the program
 * does.
 */
export function automaticSummary(messages: readonly ClawdMessage[]): string {
  const of = (role: string) => messages.filter((message) => message.role === role);
  const tools = messages.filter(
    ({ role, tool_calls }) => role === "tool" || (Array.isArray(tool_calls) && tool_calls.length > 0),
  );
  const requests = of("user")
    .slice(-QUOTED_REQUESTS)
    .map((message) => `- ${cut(contentOf(message, "substring"), QUOTED_CHARS)}`);
  return `## Conversation Summary (Auto-generated)

### Statistics
- Total messages: ${messages.length}
- User messages: ${of("user").length}
- Assistant messages: ${of("assistant").length}
- Tool interactions: ${tools.length}

### Recent User Requests
${requests.length > 0 ? requests.join("\n") : "(No user messages)"}

### Note
This is an automatically generated summary. Some context may have been lost.
The conversation can continue normally.`;
}
