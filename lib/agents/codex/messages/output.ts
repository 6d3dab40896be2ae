/** What a tool's output begins with where Codex writes about the call before what it put out. Source: README.md, "Traps". */
const HEAD = /^(?:Chunk ID:|Wall time:|Exit code:)/;
const OUTPUT_LINE = /^Output:$/m;

/** What a call put out, without the time it took and the id of its piece: with those, no two outputs are ever equal. */
export function outputText(text: string): string {
  const inner = text.startsWith('{"output"') ? innerOutput(text) : text;
  if (!HEAD.test(inner)) return inner;
  const line = OUTPUT_LINE.exec(inner);
  return line === null ? inner : inner.slice(line.index + line[0].length + 1);
}

/** The output that older versions wrote as JSON, beside facts about the call. */
function innerOutput(text: string): string {
  try {
    // `JSON.parse` gave an object, since the text begins with a brace.
    const { output } = JSON.parse(text) as { readonly output?: unknown };
    return typeof output === "string" ? output : text;
  } catch {
    return text;
  }
}
