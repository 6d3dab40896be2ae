import { textOrAnyJson } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { QUOTED_CHARS, QUOTED_REQUESTS, SHOWN_CHARS } from "../base/constants";
import type { ClawdcodePreset } from "../base/presets";
import type { ClawdMessage } from "../messages/message";
import type { FileContent } from "./file-analyzer";

/** Text before and after a summary in the history. Source: README.md, "What stays". */
export const AROUND_SUMMARY = [
  "[Previous conversation summary]\n\n",
  "\n\n[End of summary - conversation continues below]",
] as const;

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

/** The summarising model's system prompt. */
export const SUMMARY_SYSTEM = "You are a helpful assistant that creates concise summaries.";

/**
 * The prompt of the summarising model. It holds only the messages' contents, and no calls. Throws if a message has no content, as the program does.
 */
export function summaryPrompt(messages: readonly ClawdMessage[], files: readonly FileContent[]): string {
  const history = messages.map(
    (message, index) =>
      `[${index + 1}] ${message.role ? textOrAnyJson(message.role) : "unknown"}: ${cut(contentOf(message, "length"), SHOWN_CHARS)}`,
  );
  const shown = files.map(({ path, content }) => `### ${path}\n\`\`\`\n${content}\n\`\`\``);
  return `Your task is to create a detailed summary of the conversation so far. This summary will be used as context for continuing the conversation, so it's important to preserve key information.

## Conversation History
${history.join("\n\n")}

${files.length > 0 ? `## Important Files\n\n${shown.join("\n\n")}` : ""}

Please provide your summary following this structure:

1. **Primary Request and Intent** - What is the user trying to accomplish?
2. **Key Technical Concepts** - Important technical details, patterns, or decisions
3. **Files and Code Sections** - Key files mentioned or modified
4. **Errors and Fixes** - Any issues encountered and how they were resolved
5. **Problem Solving** - Approach taken to solve problems
6. **All User Messages** - Brief summary of what the user asked
7. **Pending Tasks** - Any incomplete work or next steps
8. **Current Work** - What was being worked on most recently
9. **Optional Next Step** - Suggested next action

Keep the summary concise but comprehensive. Focus on information that would be needed to continue the work.`;
}

/** A content as text. If there is no content, the program calls a text method of `undefined`, which is an error. */
function contentOf({ content }: ClawdMessage, asked: string): string {
  if (content === undefined) throw new TypeError(`Cannot read properties of undefined (reading '${asked}')`);
  return textOrAnyJson(content);
}

function cut(text: string, chars: Chars): string {
  return text.length > chars ? `${text.slice(0, chars)}...` : text;
}
