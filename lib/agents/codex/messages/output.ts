/** Beginning of a tool's output with Codex's header about the call. Source: README.md, "Traps". */
const HEAD = /^(?:Chunk ID:|Wall time:|Exit code:)/;
const OUTPUT_LINE = /^Output:$/m;

/** Output of a call, without its duration and chunk id, which make every output unique. */
export function outputText(text: string): string {
  const inner = text.startsWith('{"output"') ? innerOutput(text) : text;
  if (!HEAD.test(inner)) return inner;
  const line = OUTPUT_LINE.exec(inner);
  return line === null ? inner : inner.slice(line.index + line[0].length + 1);
}

/** The output that older versions wrote as JSON, with facts about the call. */
function innerOutput(text: string): string {
  try {
    // `JSON.parse` returns an object, since the text begins with a brace.
    const { output } = JSON.parse(text) as { readonly output?: unknown };
    return typeof output === "string" ? output : text;
  } catch {
    return text;
  }
}
