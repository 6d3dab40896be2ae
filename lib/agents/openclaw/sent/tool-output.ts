import { utf8Length } from "@/lib/core/base/characters";
import type { Chars } from "@/lib/core/base/units";
import { EXEC_OUTPUT_CHARS, READ_OUTPUT_BYTES, READ_OUTPUT_LINES } from "../base/constants";

/**
 * Output as OpenClaw's own tools return it. For a file that is read: whole lines from the beginning, at most 2,000 of them and 50 KB of UTF-8, and
 * nothing if the first line is longer. For any other output: the first 200,000 chars. The note on missing text is not added. Source: README.md, "Tool
 * results"; openclaw@2026.2.1, exec; pi 0.51, core/tools/truncate.
 */
export function keptOutput(text: string, tool: string | undefined): string {
  if (tool?.toLowerCase() !== "read") return text.slice(0, EXEC_OUTPUT_CHARS);
  // A text with fewer units than the allowed lines is within both limits, since a unit has at most three bytes.
  return text.length < READ_OUTPUT_LINES ? text : text.slice(0, unitsOfWholeLines(text));
}

/** UTF-16 units of the lines that fit, counting the line breaks between them. */
function unitsOfWholeLines(text: string): Chars {
  let [bytes, units] = [0, 0];
  for (const [index, line] of text.split("\n").slice(0, READ_OUTPUT_LINES).entries()) {
    const lineEnd = index === 0 ? 0 : 1;
    bytes += utf8Length(line) + lineEnd;
    if (bytes > READ_OUTPUT_BYTES) break;
    units += line.length + lineEnd;
  }
  return units;
}
