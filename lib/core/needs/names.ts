/** Long words: only long ones are names of something, since short ones stand in any text. */
const WORD = /[\p{L}\p{N}_]{8,}/gu;
const LOWER = /\p{Ll}/u;
const UPPER = /\p{Lu}/u;

/** The identifiers that a text names, each once: words of at least 8 characters that mix cases or hold `_`. @param text without reminders */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [word] of text.matchAll(WORD)) if (isName(word)) names.add(word);
  return names;
}

function isName(word: string): boolean {
  return word.includes("_") || (LOWER.test(word) && UPPER.test(word));
}
