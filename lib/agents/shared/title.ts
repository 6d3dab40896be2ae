import { TITLE_CHARS } from "@/lib/core/transcript/title";

/** Maximum characters to search: a prompt can be a megabyte long. */
const SEARCHED_CHARS = 2000;

/** Text left by masking tools, with its facts: `[REDACTED_TEXT len=29]`. */
const MASK = /[<[(]redacted[^<[(>\])]*[>\])]|\bREDACTED\w*/giu;
/** Marks of Markdown before the words of a line: headings, quotes, lists, and emphasis. */
const MARKS = /^(?:#{1,6}\s+|>\s*|[-*+]\s+|\*{1,2}(?=\S))+/u;
/** Two letters or digits of an alphabet, or one sign of a script that writes words with it. */
const WORDS = /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The first meaningful line of a text, cut between characters to the maximum length of a title; `undefined` if no line has any text. A line that only
 * introduces the next ("Implement the following plan:") is skipped, as is a masked one or one with nothing but marks.
 */
export function titleOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const lines = text
    .slice(0, SEARCHED_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const telling = lines.filter((line) => WORDS.test(line.replace(MASK, "")));
  const chosen = telling.find((line) => !/[:：]$/u.test(line)) ?? telling[0];
  const cut = (chosen?.replace(MARKS, "") ?? lines[0])?.slice(0, TITLE_CHARS);
  return cut !== undefined && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A command without arguments, a warm-up request, or a notification in tags: none describes the session's subject. */
const NO_PROMPT = /^(?:\/[\w:-]+|warmup|<[a-z][\w-]*>.*)$/iu;

/** The title of a session after one more prompt: of the first prompt that states the session's subject, else of the first prompt. */
export function promptTitle(known: string | undefined, prompt: unknown): string | undefined {
  if (known !== undefined && !NO_PROMPT.test(known)) return known;
  const title = titleOf(prompt);
  return known === undefined || (title !== undefined && !NO_PROMPT.test(title)) ? title : known;
}
