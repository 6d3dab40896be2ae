import type { Chars } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { EXEC_OUTPUT_CHARS, READ_OUTPUT_BYTES, READ_OUTPUT_LINES } from "../constants";

/**
 * What OpenClaw's own tools give of an output. A file that is read: whole lines from the beginning, at most 2,000 of them and 50 KB
 * of UTF-8, nothing where the first is longer. Of any other the first 200,000 chars. What says that something is missing is not
 * added. Source: README.md, "Tool results"; openclaw@2026.2.1, exec; pi 0.51, core/tools/truncate.
 */
export function keptOutput(text: string, tool: string | undefined): string {
  if (tool?.toLowerCase() !== "read") return text.slice(0, EXEC_OUTPUT_CHARS);
  // A text of fewer units than lines are allowed is within both limits: a unit has three bytes at most.
  return text.length < READ_OUTPUT_LINES ? text : text.slice(0, unitsOfWholeLines(text));
}

/** UTF-16 units of the lines that fit, line ends between them counted. */
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
