/** About how wide a text of 11 px is: CJK characters are as wide as they are high, all others a little over half of it. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0x2e7f ? 11 : 6.2;
  return width;
}
