/** Significant lines of texts, for comparison. The rules are in docs/method.md, "Re-fetched content". */

/** Minimum letters and digits in a significant line; shorter lines occur in any text. */
const MIN_LETTERS = 12;

const REMINDER = "<system-reminder>";
const REMINDER_END = "</system-reminder>";

/** A number that a tool put before a line. */
const LINE_NUMBER = /^\s*[0-9]+[→\t:|-]/;
const LETTERS = /[\p{L}\p{N}]/gu;

/** A text without the reminders that the agent put into it. An unclosed reminder stays. */
export function withoutReminders(text: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf(REMINDER); start >= 0; start = text.indexOf(REMINDER, from)) {
    const end = text.indexOf(REMINDER_END, start);
    if (end < 0) break;
    kept += text.slice(from, start);
    from = end + REMINDER_END.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/**
 * The significant lines of a text, normalised, in their order.
 * @param text without reminders
 */
export function significantLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (line.length < MIN_LETTERS) continue;
    const normal = normalisedLine(line);
    if (isSignificant(normal)) lines.push(normal);
  }
  return lines;
}

/** A line without a leading number, one diff sign, and white space at its ends. */
function normalisedLine(line: string): string {
  const bare = line.replace(LINE_NUMBER, "");
  const sign = bare[0];
  return (sign === "+" || sign === "-" || sign === " " ? bare.slice(1) : bare).trim();
}

/** True if a line has enough letters and digits. Lines of Latin letters alone, the most common, need no pattern. */
function isSignificant(line: string): boolean {
  if (line.length < MIN_LETTERS) return false;
  let letters = 0;
  for (let i = 0; i < line.length; i++) {
    const unit = line.charCodeAt(i);
    if (unit > 127) return (line.match(LETTERS)?.length ?? 0) >= MIN_LETTERS;
    const lower = unit | 32;
    if ((unit >= 48 && unit <= 57) || (lower >= 97 && lower <= 122)) letters += 1;
    if (letters >= MIN_LETTERS) return true;
  }
  return false;
}
