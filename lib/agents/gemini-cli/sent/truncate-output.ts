import type { Chars } from "@/lib/core/base/units";
import { HEAD_SHARE } from "../base/constants";

/**
 * A tool's output above the limit: its head and tail, and the path of the whole. It cuts between UTF-16 units. If the tail is empty, the program's
 * `slice(-0)` returns the whole content, and so does this. Source: README.md, "Truncated outputs".
 */
export function truncatedOutput(content: string, outputFile: string, maxChars: Chars): string {
  if (content.length <= maxChars) return content;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  const omitted = content.length - head - tail;
  return [
    `Output too large. Showing first ${grouped(head)} and last ${grouped(tail)} characters. For full output see: ${outputFile}`,
    content.slice(0, head),
    "",
    `... [${grouped(omitted)} characters omitted] ...`,
    "",
    content.slice(-tail),
  ].join("\n");
}

/** The number with English thousands separators. */
function grouped(value: number): string {
  return value.toLocaleString("en-US");
}
