import type { Chars } from "@/lib/core/base/units";

/** Truncation of a tool's output in 0.24. Source: README.md, "Tool outputs". */

export type Keep = "head" | "tail" | "both";

export interface OutputLimits {
  readonly threshold: Chars;
  /** Number of lines; infinite where only characters count. */
  readonly lines: number;
  readonly keep: Keep;
  /** Characters to keep; the threshold if absent. */
  readonly previewChars?: Chars | undefined;
}

interface TruncatedOutput {
  readonly content: string;
  readonly truncated: boolean;
}

const SEPARATOR = "\n\n---\n... [CONTENT TRUNCATED] ...\n---\n\n";
const ELLIPSIS = "...";
/** Share of the lines and characters that the beginning gets if both ends are kept. */
const HEAD_SHARE = 5;

/**
 * The output as the model reads it. Within the limits it is unchanged; beyond them its ends are kept, in a wrapper that names the file with the whole
 * output. If the wrapper would not be shorter than the output, the output is unchanged. Units are UTF-16, so surrogate pairs may be cut.
 */
export function truncateOutput(content: string, limits: OutputLimits, outputFile: string): TruncatedOutput {
  if (fits(content, limits)) return { content, truncated: false };
  const wrapped = wrapper(outputFile) + keptEnds(content.split("\n"), limits);
  return wrapped.length >= content.length ? { content, truncated: false } : { content: wrapped, truncated: true };
}

/** Lines are counted only if they are limited. */
function fits(content: string, { threshold, lines }: OutputLimits): boolean {
  return content.length <= threshold && (!Number.isFinite(lines) || content.split("\n").length <= lines);
}

function wrapper(outputFile: string): string {
  return [
    "Tool output was too large and has been truncated.",
    `The full output has been saved to: ${outputFile}`,
    "To read the complete output, use the read_file tool with the absolute file path above.",
    "The truncated output below shows the beginning and end of the content. The marker '... [CONTENT TRUNCATED] ...' indicates where content was removed.",
    "",
    "Truncated part of the output:",
    "",
  ].join("\n");
}

/** The kept ends, and the separator; an end that is not kept has no lines. */
function keptEnds(lines: readonly string[], limits: OutputLimits): string {
  const [headLines, tailLines] = lineShares(Math.min(limits.lines, lines.length), limits.keep);
  const preview = Math.max(0, limits.previewChars ?? limits.threshold);
  const separator = preview > SEPARATOR.length ? SEPARATOR : "";
  const budget = preview - separator.length;
  const headBudget = limits.keep === "both" ? Math.floor(budget / HEAD_SHARE) : budget;
  const head = takeLines(lines.slice(0, headLines), headBudget, (line, units) => line.slice(0, units) + ELLIPSIS);
  const tail = takeLines(
    lines.slice(lines.length - tailLines).reverse(),
    budget - head.used,
    (line, units) => ELLIPSIS + line.slice(line.length - units),
  );
  return head.lines.join("\n") + separator + [...tail.lines].reverse().join("\n");
}

function lineShares(lines: number, keep: Keep): readonly [number, number] {
  if (keep === "head") return [lines, 0];
  if (keep === "tail") return [0, lines];
  const head = Math.max(Math.floor(lines / HEAD_SHARE), 1);
  return [head, lines - head];
}

/** The first lines within a budget; a line that does not fit is cut, which uses up the budget. */
function takeLines(
  lines: readonly string[],
  budget: Chars,
  cut: (line: string, units: Chars) => string,
): { readonly lines: readonly string[]; readonly used: Chars } {
  const taken: string[] = [];
  let used = 0;
  for (const line of lines) {
    const remaining = budget - used;
    if (line.length + 1 > remaining) {
      if (remaining >= ELLIPSIS.length) taken.push(cut(line, remaining - ELLIPSIS.length));
      return { lines: taken, used: budget };
    }
    taken.push(line);
    used += line.length + 1;
  }
  return { lines: taken, used };
}
