import { textOrAnyJson } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { SHOWN_CHARS } from "../base/constants";
import type { ClawdMessage } from "../messages/message";
import { toNative } from "../messages/native";
import type { FileContent } from "./file-analyzer";

interface Entry {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/**
 * Prompt for a summary of every message, including the kept ones. The program would also read files from the disk again; a recording does not hold
 * these, so they are omitted.
 */
export function summaryPromptOf(
  _history: readonly Entry[],
  _preset: string,
  _format: string,
  { whole }: { readonly whole: readonly Entry[] },
) {
  const messages = whole.flatMap(({ message, contents }) => toNative(message, contents));
  return {
    system: SUMMARY_SYSTEM,
    around: AROUND_SUMMARY,
    text: summaryPrompt(
      messages.map((native) => native.message),
      [],
    ),
  };
}

/** Text before and after a summary in the history. Source: README.md, "Kept messages". */
export const AROUND_SUMMARY = [
  "[Previous conversation summary]\n\n",
  "\n\n[End of summary - conversation continues below]",
] as const;

/** The summarising model's system prompt. */
const SUMMARY_SYSTEM = "You are a helpful assistant that creates concise summaries.";

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
export function contentOf({ content }: ClawdMessage, method: string): string {
  if (content === undefined) throw new TypeError(`Cannot read properties of undefined (reading '${method}')`);
  return textOrAnyJson(content);
}

export function cut(text: string, chars: Chars): string {
  return text.length > chars ? `${text.slice(0, chars)}...` : text;
}
