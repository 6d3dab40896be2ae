import { CHARACTER, eachRun } from "./characters";

/** Long words: only long ones are names of something, since short ones stand in any text. */
const LONG = 8;
const CASES = CHARACTER.lower | CHARACTER.upper;

/** The identifiers that a text names, each once: words of at least 8 characters that mix cases or hold `_`. @param text without reminders */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  eachRun(text, CHARACTER.word, (start, end, length, bits) => {
    if (length < LONG) return;
    if ((bits & CHARACTER.underscore) !== 0 || (bits & CASES) === CASES) names.add(text.slice(start, end));
  });
  return names;
}
