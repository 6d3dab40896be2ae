import type { Chars } from "@/lib/core/base/units";
import { stringChars } from "../messages/string-chars";
import { sliceWhole } from "../messages/utf16";

/**
 * Release 2026.9.6's truncation of a tool result's text within a number of weighted chars: the head stays, and the tail too if it looks important.
 * Source: README.md, "Tool results"; openclaw@2026.9.6, tool-result-truncation.
 */
interface TruncationOptions {
  /** Chars kept in addition to the marker, if there is room. */
  readonly minKeepChars?: number | undefined;
  /** The marker for a number of omitted units. It names at least one: the note in the middle may outweigh the omitted text. */
  readonly marker?: ((left: number) => string) | undefined;
}

export const MIN_KEEP_CHARS: Chars = 2000;

/** The marker at the end of a truncated result. */
export function truncationMarker(left: number): string {
  return `[... ${Math.max(1, left)} more characters truncated; rerun with narrower args if needed]`;
}

const MIDDLE_MARKER = "\n\n⚠️ [... middle content omitted — showing head and tail ...]\n\n";
const TAIL_SHARE = 0.3;
const MAX_TAIL_CHARS: Chars = 4000;

/** The text within a number of chars, including the marker. */
export function truncateResultText(text: string, maxChars: Chars, options: TruncationOptions = {}): string {
  if (stringChars(text) <= maxChars) return text;
  const marker = options.marker ?? truncationMarker;
  const room = Math.max(0, maxChars - stringChars(marker(1)));
  const minKeep = Math.max(0, Math.min(options.minKeepChars ?? MIN_KEEP_CHARS, room));
  const leftOut = text.length - fitHead(text, maxChars).length;
  const budget = Math.max(minKeep, maxChars - stringChars(marker(leftOut)));
  const kept = headAndTail(text, budget, minKeep) ?? upToLineEnd(fitHead(text, budget));
  return withMarker(kept, text.length, maxChars, marker);
}

/** Both ends of a text whose end looks important; `undefined` if there is no room. */
function headAndTail(text: string, budget: Chars, minKeep: Chars): string | undefined {
  if (budget <= minKeep * 2 || !hasImportantTail(text)) return undefined;
  const tailBudget = Math.min(Math.floor(budget * TAIL_SHARE), MAX_TAIL_CHARS);
  const headBudget = budget - tailBudget - stringChars(MIDDLE_MARKER);
  if (headBudget <= minKeep) return undefined;
  const head = upToLineEnd(fitHead(text, headBudget));
  const tail = fromLineStart(fitTail(text, tailBudget));
  return head + MIDDLE_MARKER + tail;
}

const LAST_UNITS = 2000;
const IMPORTANT_WORDS =
  /\b(?:error|exception|failed|fatal|traceback|panic|stack trace|errno|exit code|total|summary|result|complete|finished|done)\b/;

/** True if a text's end reports an outcome, or closes a JSON object. */
export function hasImportantTail(text: string): boolean {
  const tail = sliceWhole(text, -LAST_UNITS).trim().toLowerCase();
  return IMPORTANT_WORDS.test(tail) || tail.endsWith("}");
}

/** A head that ends at its last line end, if that is near. */
function upToLineEnd(head: string): string {
  const at = head.lastIndexOf("\n");
  return at > head.length * 0.8 ? head.slice(0, at) : head;
}

/** A tail that starts after its first line end, if that is near. */
function fromLineStart(tail: string): string {
  const at = tail.indexOf("\n");
  return at < tail.length * 0.2 ? tail.slice(at + 1) : tail;
}

/** The longest beginning of a text within a number of chars that a binary search finds. */
export function fitHead(text: string, maxChars: Chars): string {
  return longestPart(text, maxChars, (length) => sliceWhole(text, 0, length));
}

/** The same for the end. */
export function fitTail(text: string, maxChars: Chars): string {
  return longestPart(text, maxChars, (length) => sliceWhole(text, text.length - length));
}

function longestPart(text: string, maxChars: Chars, part: (length: number) => string): string {
  const budget = Math.max(0, Math.floor(maxChars));
  if (stringChars(text) <= budget) return text;
  let low = 0;
  let high = Math.min(text.length, budget);
  // Anything shorter than `low` fits, anything longer than `high` does not.
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if (stringChars(part(middle)) <= budget) low = middle + 1;
    else high = middle - 1;
  }
  return part(high);
}

/** A kept text and the marker within a number of chars: the number in the marker and the kept text depend on each other. */
function withMarker(kept: string, length: number, maxChars: Chars, marker: (left: number) => string): string {
  let rest = kept;
  for (;;) {
    const end = marker(length - rest.length);
    const endChars = stringChars(end);
    if (endChars >= maxChars) return fitHead(marker(length), maxChars);
    const next = fitHead(rest, maxChars - endChars);
    if (next.length === rest.length) return next + end;
    rest = next;
  }
}
