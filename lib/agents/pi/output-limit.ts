import type { Bytes, Chars } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { OUTPUT_BYTES, OUTPUT_LINES } from "./constants";

/** Names under which agents run a shell: of its output the end is kept, of any other the beginning. */
const SHELLS = new Set(["bash", "shell", "local_shell", "exec_command", "powershell", "run_shell_command"]);

/**
 * What pi's limits let through of a tool's output: whole lines, at most 2,000 of them and 50 KB of UTF-8. A single line that is
 * longer is cut within where its end is kept, and left out where its beginning is. The line that says what is missing is not
 * added. Source: release 0.51.0, core/tools/truncate.
 */
export function keptOutput(text: string, tool: string | undefined): string {
  // A text of fewer units than lines are allowed is within both limits: a unit has three bytes at most.
  if (text.length < OUTPUT_LINES) return text;
  const keepsEnd = tool !== undefined && SHELLS.has(tool.toLowerCase());
  const lines = text.split("\n");
  const kept = keptUnits(keepsEnd ? lines.reverse() : lines, keepsEnd);
  return keepsEnd ? text.slice(text.length - kept) : text.slice(0, kept);
}

/** UTF-16 units of the first lines that fit, line ends between them counted. */
function keptUnits(lines: readonly string[], keepsEnd: boolean): Chars {
  let [bytes, units] = [0, 0];
  for (const [index, line] of lines.slice(0, OUTPUT_LINES).entries()) {
    const lineEnd = index === 0 ? 0 : 1;
    bytes += utf8Length(line) + lineEnd;
    if (bytes > OUTPUT_BYTES) return index === 0 && keepsEnd ? endWithin(line, OUTPUT_BYTES) : units;
    units += line.length + lineEnd;
  }
  return units;
}

/** UTF-16 units of the longest end of a line that has so many bytes at most, no character cut in two. */
function endWithin(line: string, limit: Bytes): Chars {
  const bytes = new TextEncoder().encode(line);
  let from = bytes.length - limit;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from)).length;
}
