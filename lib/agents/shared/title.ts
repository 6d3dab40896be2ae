import { hasWords, noSubjectOf, TITLE_CHARS } from "@/lib/core/transcript/title";

/** Maximum characters to search: a prompt can be a megabyte long. */
const SEARCHED_CHARS = 2000;

/** Marks of Markdown before the words of a line: headings, quotes, lists, and emphasis. */
const MARKS = /^(?:#{1,6}\s+|>\s*|[-*+]\s+|\*{1,2}(?=\S))+/u;

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
  const telling = lines.filter(hasWords);
  const chosen = telling.find((line) => !/[:：]$/u.test(line)) ?? telling[0];
  const cut = (chosen?.replace(MARKS, "") ?? lines[0])?.slice(0, TITLE_CHARS);
  return cut !== undefined && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * The title of a session after one more prompt: the first prompt that states the session's subject, else the first prompt.
 * @param known the title before it
 */
export function promptTitle(known: string | undefined, prompt: unknown): string | undefined {
  // Most prompts of a session come after the one that names it: they are not searched.
  return known !== undefined && noSubjectOf(known) === undefined ? known : subjectTitle([known, titleOf(prompt)]);
}

/** The first of some titles that states a subject, else the first one; `undefined` if there is none. */
export function subjectTitle(titles: readonly (string | undefined)[]): string | undefined {
  const known = titles.filter((title) => title !== undefined);
  return known.find((title) => noSubjectOf(title) === undefined) ?? known[0];
}
