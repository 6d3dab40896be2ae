/** How much of a text is drawn in one frame and laid out together. What is out of sight of a longer one waits until it comes into view. */
export const PART_CHARS = 20_000;

/** The text in parts that end with a line, as far as its lines allow. */
export function textParts(text: string): readonly string[] {
  if (text.length <= PART_CHARS) return [text];
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    // Within the part alone: a text may be one endless line, and would be searched from its beginning for every part.
    const part = text.slice(from, from + PART_CHARS + 1);
    const line = part.lastIndexOf("\n");
    // A part is a block, so the line break at its end would be a second one.
    found.push(part.slice(0, line > 0 ? line : PART_CHARS));
    from += line > 0 ? line + 1 : PART_CHARS;
  }
  return found;
}
