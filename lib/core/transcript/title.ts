/** Maximum length of a title in UTF-16 units; it is cut from the first line of a prompt. */
export const TITLE_CHARS = 80;

/** Title for display. An ellipsis follows a title of the maximum length, since its line may go on. */
export function shownTitle(title: string): string {
  return title.length === TITLE_CHARS ? `${title.trimEnd()}…` : title;
}

/** Kinds of prompts that do not state the subject of a session. */
export type NoSubject = "command" | "warm-up" | "notification" | "masked";

/** Two letters or digits of an alphabet, or one sign of a script that writes words with it. */
const WORDS = /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Text left by masking tools, with its facts: `[REDACTED_TEXT len=29]`. */
const MASK = /[<[(]redacted[^<[(>\])]*[>\])]|\bREDACTED\w*/giu;

/** A mask that states the length of the hidden text. */
const STATED_MASK = /\bREDACTED\w*[\s,]+len(?:gth)?\s*[=:]\s*\d/i;
/** Maximum length of a masked text. In a longer one, the masks hide little. */
const MASKED_CHARS = 300;

/** True for a text whose size is unknown, since a publisher masked it: it holds masks alone, or is a short text with a mask that states a length. */
export function isMaskedText(text: string): boolean {
  if (text.length > MASKED_CHARS) return false;
  return STATED_MASK.test(text) || (!hasWords(text) && text.replace(MASK, "") !== text);
}

/** True if a line has words that no tool masked. */
export function hasWords(line: string): boolean {
  return WORDS.test(line.replace(MASK, ""));
}

/**
 * The kind of a title that does not state a session's subject: a slash command without arguments, a request that only warms the cache, a notification
 * in tags of an agent (their names have two parts, as those of HTML do not), or a text that a tool masked. `undefined` for a real prompt.
 */
export function noSubjectOf(title: string): NoSubject | undefined {
  if (/^\/[\w:-]+$/u.test(title)) return "command";
  if (/^warm[ -]?up[.!]?$/iu.test(title)) return "warm-up";
  if (/^<[a-z]+[-_][\w-]*[\s>]/iu.test(title)) return "notification";
  return !hasWords(title) && title.replace(MASK, "") !== title ? "masked" : undefined;
}
