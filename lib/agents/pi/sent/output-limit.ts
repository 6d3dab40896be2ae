import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Chars } from "@/lib/core/base/units";
import { OUTPUT_BYTES, OUTPUT_LINES } from "../base/constants";

/** Names that agents give to a shell: the end of its output is kept, and the beginning of any other tool's. */
const SHELLS = new Set(["bash", "shell", "local_shell", "exec_command", "powershell", "run_shell_command"]);

/**
 * The part of a tool's output within pi's limits: whole lines, at most 2,000 of them and at most 50 KB of UTF-8. A single line above that is cut if
 * the end is kept, and dropped if the beginning is. The line about missing text is not added. Source: release 0.51.0, core/tools/truncate.
 */
export function keptOutput(text: string, tool: string | undefined): string {
  // A text with fewer units than the allowed lines is within both limits, since a unit has at most three bytes.
  if (text.length < OUTPUT_LINES) return text;
  const keepsEnd = tool !== undefined && SHELLS.has(tool.toLowerCase());
  const lines = text.split("\n");
  const kept = keptUnits(keepsEnd ? lines.reverse() : lines, keepsEnd);
  return keepsEnd ? text.slice(text.length - kept) : text.slice(0, kept);
}

/** UTF-16 units of the lines that fit from the kept end, counting the line breaks between them. */
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

/** UTF-16 units of the longest end of a line within so many bytes, without splitting a character. */
function endWithin(line: string, limit: Bytes): Chars {
  const bytes = new TextEncoder().encode(line);
  let from = bytes.length - limit;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from)).length;
}
