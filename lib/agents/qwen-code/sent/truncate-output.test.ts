import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OutputLimits, truncateOutput } from "./truncate-output";

/** The rule of README.md, "Tool outputs": the fitting part of each end is found by trying every number of lines. */

const FILE = "/outputs/f.output";
const SEPARATOR = "\n\n---\n... [CONTENT TRUNCATED] ...\n---\n\n";

const WRAPPER = `Tool output was too large and has been truncated.
The full output has been saved to: ${FILE}
To read the complete output, use the read_file tool with the absolute file path above.
The truncated output below shows the beginning and end of the content. The marker '... [CONTENT TRUNCATED] ...' indicates where content was removed.

Truncated part of the output:
`;

/** The lines that fit into a budget at one end, and the used part of the budget. */
function endWithin(lines: readonly string[], budget: number, end: "first" | "last"): { text: string; used: number } {
  const some = (count: number) => (end === "first" ? lines.slice(0, count) : lines.slice(lines.length - count));
  const cost = (count: number) => some(count).reduce((sum, line) => sum + line.length + 1, 0);
  let whole = 0;
  for (let count = 0; count <= lines.length; count++) if (cost(count) <= budget) whole = count;
  if (whole === lines.length) return { text: lines.join("\n"), used: cost(whole) };
  const room = budget - cost(whole);
  const next = (end === "first" ? lines[whole] : lines[lines.length - 1 - whole]) ?? "";
  const piece = end === "first" ? `${next.slice(0, room - 3)}...` : `...${next.substring(next.length - (room - 3))}`;
  const kept = room < 3 ? some(whole) : end === "first" ? [...some(whole), piece] : [piece, ...some(whole)];
  return { text: kept.join("\n"), used: budget };
}

function bodyOf(content: string, { threshold, lines: most, keep, previewChars }: OutputLimits): string {
  const lines = content.split("\n");
  const n = Math.min(most, lines.length);
  const preview = Math.max(0, previewChars ?? threshold);
  const separator = preview > SEPARATOR.length ? SEPARATOR : "";
  const room = preview - separator.length;
  if (keep === "head") return endWithin(lines.slice(0, n), room, "first").text + separator;
  if (keep === "tail") return separator + endWithin(lines.slice(lines.length - n), room, "last").text;
  const headLines = Math.max(Math.floor(n / 5), 1);
  const head = endWithin(lines.slice(0, headLines), Math.floor(room / 5), "first");
  const tail = endWithin(lines.slice(lines.length - (n - headLines)), room - head.used, "last");
  return head.text + separator + tail.text;
}

function byDefinition(content: string, limits: OutputLimits): string {
  if (content.length <= limits.threshold && content.split("\n").length <= limits.lines) return content;
  const wrapped = WRAPPER + bodyOf(content, limits);
  return wrapped.length < content.length ? wrapped : content;
}

const ENDLESS = Number.POSITIVE_INFINITY;
const keep = fc.constantFrom("head" as const, "tail" as const, "both" as const);
const limits = fc.record(
  {
    threshold: fc.integer({ min: 0, max: 600 }),
    lines: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(ENDLESS)),
    keep,
    previewChars: fc.integer({ min: -1, max: 200 }),
  },
  { requiredKeys: ["threshold", "lines", "keep"] },
);

describe("an output", () => {
  // Some lines are short, so that a budget often ends exactly at the end of a line or a few units after it.
  const line = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ maxLength: 4 }));
  const output = fc.array(line, { maxLength: 70 }).map((lines) => lines.join("\n"));

  it("matches the definition, and counts as truncated if it changed", () => {
    const property = fc.property(output, limits, (content, given) => {
      const kept = truncateOutput(content, given, FILE);
      expect(kept.content).toBe(byDefinition(content, given));
      expect(kept.truncated).toBe(kept.content !== content);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("fills a budget of any size, whether it ends within a line or at its end", () => {
    const content = Array.from({ length: 200 }, (_, index) => `line ${index}`.padEnd(9)).join("\n");
    for (let previewChars = 0; previewChars <= 120; previewChars++) {
      for (const side of ["head", "tail", "both"] as const) {
        const given = { threshold: 0, lines: ENDLESS, keep: side, previewChars };
        expect(truncateOutput(content, given, FILE).content).toBe(WRAPPER + bodyOf(content, given));
      }
    }
  });
});

describe("a truncated example", () => {
  const content = `${"a".repeat(500)}\n${"b".repeat(500)}`;
  const body = (given: Partial<OutputLimits>, text = content) =>
    truncateOutput(text, { threshold: 10, lines: ENDLESS, keep: "both", ...given }, FILE).content.replace(WRAPPER, "");

  it("keeps one end, or a fifth at the beginning and the rest at the end", () => {
    expect(body({ keep: "head" })).toBe("aaaaaaa...");
    expect(body({ keep: "tail" })).toBe("...bbbbbbb");
    expect(body({ threshold: 20 })).toBe(`a......${"b".repeat(13)}`);
  });

  it("is empty if there is less room than the dots need", () => {
    expect(body({ keep: "head", previewChars: 2 })).toBe("");
    expect(body({ keep: "head", previewChars: 3 })).toBe("...");
    expect(body({ keep: "tail", previewChars: 3 })).toBe("...");
  });

  it("contains the separator if there is more room than it needs", () => {
    expect(body({ keep: "head", previewChars: SEPARATOR.length })).not.toContain("TRUNCATED");
    expect(body({ keep: "head", previewChars: SEPARATOR.length + 4 })).toBe(`a...${SEPARATOR}`);
    expect(body({ keep: "tail", previewChars: SEPARATOR.length + 4 })).toBe(`${SEPARATOR}...b`);
  });

  it("keeps at most the given number of lines, with at least one from the beginning", () => {
    const lines = Array.from({ length: 600 }, (_, index) => `${index}`).join("\n");
    const limited = (most: number) => body({ threshold: 1e6, lines: most }, lines);
    expect(limited(600)).toBe(lines);
    expect(limited(10)).toBe(`0\n1${SEPARATOR}592\n593\n594\n595\n596\n597\n598\n599`);
    expect(limited(2)).toBe(`0${SEPARATOR}599`);
  });

  it("equals the output at both limits, or if the wrapper would not be shorter", () => {
    const whole = "x\n".repeat(400);
    const given = { threshold: 800, lines: 401, keep: "tail", previewChars: 0 } as const;
    expect(truncateOutput(whole, given, FILE)).toEqual({ content: whole, truncated: false });
    expect(truncateOutput(whole, { ...given, lines: 400 }, FILE).content).toBe(WRAPPER);
    expect(truncateOutput(whole, { ...given, threshold: 799, lines: ENDLESS }, FILE).content).toBe(WRAPPER);
    for (const more of [0, 1]) {
      const long = "y".repeat(WRAPPER.length + more);
      const { content: kept, truncated } = truncateOutput(long, { ...given, threshold: 0 }, FILE);
      expect({ kept, truncated }).toEqual({ kept: more === 0 ? long : WRAPPER, truncated: more === 1 });
    }
  });
});
