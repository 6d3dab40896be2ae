import stringWidth from "string-width";

/** The columns that a printable text takes up in a terminal: two for each Chinese character or emoji. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Appends spaces up to a width in columns. */
export function padEnd(text: string, width: number): string {
  return text + spaces(text, width);
}

/** Prepends spaces up to a width in columns. */
export function padStart(text: string, width: number): string {
  return spaces(text, width) + text;
}

/** The end of a text that fits a width in columns, with an ellipsis instead of the beginning that was cut off. */
export function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = [...text];
  let taken = 1;
  let from = characters.length;
  for (; from > 0; from--) {
    taken += displayWidth(characters[from - 1] ?? "");
    if (taken > width) break;
  }
  return `…${characters.slice(from).join("")}`;
}

function spaces(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text)));
}
