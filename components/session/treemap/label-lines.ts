import { textWidth } from "@/components/charts/text-width";

/** Where lines are narrower, no word is broken. */
const LEAST_WITHIN_WORD = 56;

/** Behind these a line may end. */
const BREAKS = /[\s\-_/.:;)\]}]/;
/** And before these, as in the name of a file. */
const MARKS = /[_.]/;

/**
 * A label in lines that fit into a width: broken behind a space or a mark where one is near the edge, else anywhere. The last line ends with … where it is
 * not the rest.
 * @param most lines
 */
export function labelLines(text: string, room: number, most: number): readonly string[] {
  if (most < 1) return [];
  const lines: string[] = [];
  let rest = text.trim();
  while (lines.length < most - 1 && textWidth(rest) > room) {
    const fitting = fittingLength(rest, room);
    const end = lastBreak(rest, fitting);
    // A short part in an empty line would cost a line, and a word in pieces of a few letters is none.
    const isBroken = end > fitting / 4;
    // Chinese is broken anywhere.
    const isWithinWord = !isBroken && (rest.codePointAt(fitting) ?? 0) < 0x2e80;
    if (isWithinWord && room < LEAST_WITHIN_WORD) break;
    const at = isBroken ? end : fitting;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? lines : [...lines, cut(rest, room)];
}

/** How much of a text fits, in code units; at least its first character. */
function fittingLength(text: string, room: number): number {
  let [width, length] = [0, 0];
  for (const character of text) {
    width += textWidth(character);
    if (width > room && length > 0) break;
    length += character.length;
  }
  return length;
}

/** The end of the last part of a text that fits and ends with a break, or before a mark; 0 where there is none. */
function lastBreak(text: string, length: number): number {
  // A space may itself lie beyond the edge: it is not drawn.
  for (let end = Math.min(text.length, length + 1); end > 0; end--) {
    const [last, next] = [text[end - 1] ?? "", text[end] ?? ""];
    if (end <= length ? BREAKS.test(last) || MARKS.test(next) : last === " ") return end;
  }
  return 0;
}

/** As much of a text as fits, with an ellipsis. */
function cut(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  const short = text.slice(0, Math.min(60, fittingLength(text, room - textWidth("…"))));
  return `${short.trimEnd()}…`;
}
