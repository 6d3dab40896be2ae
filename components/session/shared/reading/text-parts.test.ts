import fc from "fast-check";
import { expect, it } from "vitest";
import { processorMs } from "@/lib/core/testing/processor-time";
import { runs } from "@/lib/core/testing/runs";
import { PART_CHARS, textParts } from "./terminal";

const line = fc.nat({ max: 30_000 }).map((length) => "x".repeat(length));

it("parts of a text join to the whole, have a limited length, and end at line breaks if possible", () => {
  const property = fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
    const text = lines.join("\n");
    const parts = textParts(text);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(PART_CHARS);
    let at = 0;
    for (const [index, part] of parts.entries()) {
      expect(text.startsWith(part, at)).toBe(true);
      at += part.length;
      if (index < parts.length - 1 && text[at] === "\n") at += 1;
      else if (index < parts.length - 1) expect(part.lastIndexOf("\n")).toBeLessThanOrEqual(0);
    }
    expect(text.slice(at)).toMatch(/^\n?$/);
  });
  fc.assert(property, { numRuns: runs(200) });
});

it("parts of a very long line are found in one pass", () => {
  const text = "x".repeat(50_000_000);
  const before = processorMs();
  expect(textParts(text)).toHaveLength(2500);
  // A search from the beginning of the text for every part takes ten seconds and more.
  expect(processorMs() - before).toBeLessThan(1500);
});
