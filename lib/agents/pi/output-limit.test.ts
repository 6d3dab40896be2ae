import fc from "fast-check";
import { expect, it } from "vitest";
import { OUTPUT_BYTES, OUTPUT_LINES } from "./constants";
import { keptOutputBytes } from "./output-limit";

const bytes = (text: string) => Buffer.byteLength(text);

/** The longest run of whole lines from either end within both limits, found by trying them all. */
function byTrying(text: string, fromEnd: boolean): number {
  const lines = text.split("\n");
  let best = 0;
  for (let count = 1; count <= Math.min(lines.length, OUTPUT_LINES); count++) {
    const kept = (fromEnd ? lines.slice(-count) : lines.slice(0, count)).join("\n");
    if (bytes(kept) <= OUTPUT_BYTES) best = bytes(kept);
    else return count === 1 && fromEnd ? OUTPUT_BYTES : best;
  }
  return best;
}

const line = fc
  .tuple(fc.constantFrom("x", "é", "中"), fc.constantFrom(0, 1, 9000, 20_000, 60_000))
  .map(([unit, length]) => unit.repeat(length));

it.each([
  ["bash", true],
  ["Bash", true],
  ["read", false],
  [undefined, false],
])("keeps whole lines within both limits: %s", (tool, fromEnd) => {
  const property = fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
    const text = lines.join("\n");
    expect(keptOutputBytes(text, tool)).toBe(byTrying(text, fromEnd));
  });
  fc.assert(property, { numRuns: 100 });
});

it("counts lines however short they are", () => {
  expect(keptOutputBytes("\n".repeat(1999), "bash")).toBe(1999);
  expect(keptOutputBytes("\n".repeat(5000), "bash")).toBe(1999);
  expect(keptOutputBytes("a\n".repeat(5000), "read")).toBe(3999);
});

it("leaves out a single line that is too long where the beginning is kept, and cuts it where the end is", () => {
  const long = "x".repeat(60_000);
  expect(keptOutputBytes(long, "read")).toBe(0);
  expect(keptOutputBytes(long, "bash")).toBe(OUTPUT_BYTES);
});
