import type { DraftMessage } from "@/lib/core/transcript/draft";

/** How a message begins that brings a summary. Source: recordings of Claude Code, Codex and Gemini CLI. */
const MARKS = [
  "This session is being continued from a previous conversation",
  "Another language model started to solve this problem",
  "<state_snapshot>",
];

/** Shorter answers are found in texts by chance. */
const LEAST_CHARS = 40;

/** Whether a message repeats what the model answered last: then that answer was a summary, and this message brings it. */
export function repeats(message: DraftMessage, answer: string | undefined): boolean {
  const told = summaryIn(answer ?? "");
  return told.length >= LEAST_CHARS && textIn(message).includes(told);
}

/** Whether a message says of itself that it is a summary. */
export function isMarkedSummary(message: DraftMessage): boolean {
  const text = textIn(message).trimStart();
  return MARKS.some((mark) => text.startsWith(mark));
}

/** The text of a message, its blocks one after another. */
export function textIn({ blocks }: DraftMessage): string {
  return blocks
    .filter(({ kind }) => kind === "text")
    .map(({ text }) => text)
    .join("\n");
}

/** What of an answer goes on into the next context: what stands within `<summary>`, or all of it. */
function summaryIn(answer: string): string {
  const start = answer.indexOf("<summary>");
  const end = answer.lastIndexOf("</summary>");
  const inner = start >= 0 && end > start ? answer.slice(start + "<summary>".length, end) : answer;
  return inner.trim();
}
