/** Widths of the characters of Inter at 11 px, rounded up, that differ from the usual one. */
const WIDTHS = new Map(
  (
    [
      [2.6, "ijl"],
      [3, " !,.:;I·"],
      [3.6, "'\\`ft|"],
      [4.3, "/()[]r{}"],
      [5.2, '_"^'],
      [5.8, "?s"],
      [6.2, "JLackvxyz"],
      [6.6, "EFehnou"],
      [7.7, "AKVXY"],
      [8.4, "CDGHNOQU"],
      [9.2, "w→⟂"],
      [10.6, "Mm@…"],
      [11.1, "%W"],
    ] as const
  ).flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
);

/** Width of most letters and of every digit: Inter's digits are tabular here. */
const USUAL = 7.1;

/** Maximum factor by which a semibold text is wider. */
const SEMIBOLD = 1.06;

/** The width of a semibold text at 11 px, rounded up. */
export function boldWidth(text: string): number {
  return Math.ceil(textWidth(text) * SEMIBOLD);
}

/** The longest beginning of a semibold text at 11 px that fits into a width; a truncated one ends with "…". */
export function shortenedTo(text: string, width: number): string {
  if (boldWidth(text) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && boldWidth(`${characters.join("")}…`) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** The width of a text at 11 px, slightly rounded up. Latin characters have their own widths; CJK characters are square. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += WIDTHS.get(character) ?? ((character.codePointAt(0) ?? 0) > 0x2e7f ? 11 : USUAL);
  return width;
}
