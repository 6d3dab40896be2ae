/** Words of one or two characters: an index of three characters cannot find them, and in Chinese most words are as short. */

/** Every character's code is below this number. */
const CHARACTERS = 0x110000;
/** Below this code no character is part of a word. */
const SPACE = 0x20;

/** Every character and every two in a row of a text, each once, as words of letters and digits with spaces between them. */
export function shortWordsOf(text: string): string {
  const found = new Set<number>();
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.codePointAt(at) ?? 0;
    if (character >= 0x10000) at += 1;
    if (character > SPACE) {
      found.add(character);
      if (before > SPACE) found.add(pairOf(before, character));
    }
    before = character;
  }
  let words = "";
  for (const word of found) words += `${word.toString(36)} `;
  return words;
}

/** Encoding of a word of one or two characters in the texts of `shortWordsOf`. */
export function shortWord(word: string): string {
  const [first = 0, second] = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  return (second === undefined ? first : pairOf(first, second)).toString(36);
}

function pairOf(first: number, second: number): number {
  return (first + 1) * CHARACTERS + second;
}
