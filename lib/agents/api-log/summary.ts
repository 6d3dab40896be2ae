import type { DraftMessage } from "@/lib/core/transcript/draft";

/** Beginnings of messages with a summary. Source: recordings of Claude Code, Codex and Gemini CLI. */
const MARKS = [
  "This session is being continued from a previous conversation",
  "Another language model started to solve this problem",
  "<state_snapshot>",
];

/** Minimum length of a repeated answer: shorter ones may occur in other texts by chance. */
const MIN_CHARS = 40;

/** True if a message repeats the model's last answer, which was then a summary. */
export function repeats(message: DraftMessage, answer: string | undefined): boolean {
  const summary = summaryIn(answer ?? "");
  return summary.length >= MIN_CHARS && textIn(message).includes(summary);
}

/** True if a message says that it is a summary. */
export function isMarkedSummary(message: DraftMessage): boolean {
  const text = textIn(message).trimStart();
  return MARKS.some((mark) => text.startsWith(mark));
}

/** The text of a message, all blocks joined. */
export function textIn({ blocks }: DraftMessage): string {
  return blocks
    .filter(({ kind }) => kind === "text")
    .map(({ text }) => text)
    .join("\n");
}

/** The part of an answer that the next context keeps: the text within `<summary>`, or all of it. */
function summaryIn(answer: string): string {
  const start = answer.indexOf("<summary>");
  const end = answer.lastIndexOf("</summary>");
  const inner = start >= 0 && end > start ? answer.slice(start + "<summary>".length, end) : answer;
  return inner.trim();
}
