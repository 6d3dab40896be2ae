import type { Tokens } from "@/lib/core/base/units";

/**
 * Error texts for a prompt that was too long. Source: README.md, "Overflow errors"; openclaw@2026.2.1, pi-embedded-helpers/errors. The pieces of its
 * regular expressions are searched for here one by one: the expressions themselves take quadratic time on a long text of their first words.
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

/** True if the text likely means an overflow, but not for a window that is too small to work with. */
export function isLikelyContextOverflow(text: string | undefined): boolean {
  if (text === undefined) return false;
  const lines = asciiLower(text).split(LINE_END);
  if (lines.some((line) => isFollowed(line, ["context window"], ["too small", "minimum is"]))) return false;
  return isContextOverflow(text) || lines.some(hintsAtOverflow);
}

/** The window in errors of OpenAI and others, Anthropic, Google, Mistral, llama.cpp and GitHub Copilot. */
const WINDOW_TEXTS = [
  /maximum context length (?:is|of) (\d[\d,]{0,15})/i,
  /tokens > (\d[\d,]{0,15}) maximum/i,
  /context limit: \d{1,16} \+ \d{1,16} > (\d[\d,]{0,15})/i,
  /maximum number of tokens allowed \((\d[\d,]{0,15})\)/i,
  /(\d[\d,]{0,15}) maximum context length/i,
  /available context size \((\d[\d,]{0,15}) tokens\)/i,
  /exceeds the limit of (\d[\d,]{0,15})/i,
];

/** The model's window as a provider's error names it; `undefined` if it does not. */
export function statedWindow(text: string): Tokens | undefined {
  const digits = WINDOW_TEXTS.map((stated) => stated.exec(text)?.[1]).find((found) => found !== undefined);
  return digits === undefined ? undefined : Number(digits.replaceAll(",", ""));
}

/** The line ends that a dot in a regular expression does not match. */
const LINE_END = /[\n\r\u2028\u2029]/;

/** Ignores case only among ASCII letters, as the flag `i` of a regular expression does for an ASCII pattern. */
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

/** True if one of the first texts occurs in the line before one of the second, without overlap. */
function isFollowed(line: string, first: readonly string[], second: readonly string[]): boolean {
  const ends = first.map((text) => (line.includes(text) ? line.indexOf(text) + text.length : Number.NaN));
  const earliest = Math.min(...ends.filter((end) => !Number.isNaN(end)));
  return second.some((text) => line.lastIndexOf(text) >= earliest);
}
