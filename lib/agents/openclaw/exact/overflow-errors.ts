/**
 * Which error texts say that a prompt was too long. Source: README.md, "Overflow errors"; openclaw@2026.2.1,
 * pi-embedded-helpers/errors. Its regular expressions are searched for piece by piece here: as they stand, a long text of
 * their first words takes them time that grows with its square.
 */

const OVERFLOW_TEXTS = [
  "request_too_large",
  "request exceeds the maximum size",
  "context length exceeded",
  "maximum context length",
  "prompt is too long",
  "exceeds model context window",
  "context overflow",
];

export function isContextOverflow(text: string | undefined): boolean {
  if (text === undefined) return false;
  const lower = text.toLowerCase();
  const has = (part: string) => lower.includes(part);
  if (OVERFLOW_TEXTS.some(has)) return true;
  if (has("request size exceeds") && (has("context window") || has("context length"))) return true;
  return has("413") && has("too large");
}

/** Whether the text is likely to say so; that a window is too small to work with is another matter. */
export function isLikelyContextOverflow(text: string | undefined): boolean {
  if (text === undefined) return false;
  const lines = asciiLower(text).split(LINE_END);
  if (lines.some((line) => isFollowed(line, ["context window"], ["too small", "minimum is"]))) return false;
  return isContextOverflow(text) || lines.some(hintsAtOverflow);
}

/** Whether the overflow was that of a compaction itself. */
export function isCompactionFailure(text: string | undefined): boolean {
  if (text === undefined || !isContextOverflow(text)) return false;
  const lower = text.toLowerCase();
  return lower.includes("summarization failed") || lower.includes("compaction");
}

/** What a dot in a regular expression stops at. */
const LINE_END = /[\n\r\u2028\u2029]/;

/** Case is ignored among ASCII letters only, as a regular expression's flag `i` does for an ASCII pattern. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const TOO_MUCH = ["too large", "too long", "exceed", "over", "limit", "max"];

function hintsAtOverflow(line: string): boolean {
  return (
    isFollowed(line, ["context"], ["overflow"]) ||
    isFollowed(line, ["context window"], [...TOO_MUCH, "requested", "sent", "tokens"]) ||
    isFollowed(line, ["prompt", "request", "input"], TOO_MUCH)
  );
}

/** Whether one of the first texts stands in the line before one of the second, without overlap. */
function isFollowed(line: string, first: readonly string[], second: readonly string[]): boolean {
  const ends = first.map((text) => (line.includes(text) ? line.indexOf(text) + text.length : Number.NaN));
  const earliest = Math.min(...ends.filter((end) => !Number.isNaN(end)));
  return second.some((text) => line.lastIndexOf(text) >= earliest);
}
