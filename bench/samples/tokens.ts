/**
 * How many tokens the invented provider reports for a text: by words, figures and signs, so that its relation to the
 * length differs between code, prose and Chinese, as it does for a real one. No tokenizer: the recordings only have to
 * be believable, and must not change with a table.
 */
export function reportedTokens(text: string): number {
  let tokens = 3;
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d+|\p{Script=Han}|\n\s*|\s{2,}|[^\sA-Za-z\d\p{Script=Han}]/gu)) {
    const first = piece.charCodeAt(0);
    if (first >= 0x2e80) tokens += 1.15;
    else if (/[A-Za-z]/.test(piece)) tokens += Math.ceil(piece.length / 7);
    else if (/\d/.test(piece)) tokens += Math.ceil(piece.length / 3);
    else tokens += 0.75;
  }
  return Math.ceil(tokens);
}
