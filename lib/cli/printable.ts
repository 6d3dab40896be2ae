/** A text from a file, safe for a terminal: control characters, which could steer it, are replaced. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd");
}
