import fc from "fast-check";
import { expect, it } from "vitest";
import { OUTPUT_BYTES, OUTPUT_LINES } from "./constants";
import { keptOutput } from "./output-limit";

const bytes = (text: string) => Buffer.byteLength(text);

/** The longest run of whole lines from either end within both limits, found by trying them all. */
function byTrying(text: string, fromEnd: boolean): string {
  const lines = text.split("\n");
  let best = "";
  for (let count = 1; count <= Math.min(lines.length, OUTPUT_LINES); count++) {
    const kept = (fromEnd ? lines.slice(-count) : lines.slice(0, count)).join("\n");
    if (bytes(kept) <= OUTPUT_BYTES) best = kept;
    else return count === 1 && fromEnd ? endOf(kept) : best;
  }
  return best;
}

/** The longest end of a text of one kind of character. */
function endOf(text: string): string {
  return text.slice(-Math.floor(OUTPUT_BYTES / bytes(text.slice(0, 1))));
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
    expect(keptOutput(text, tool) === byTrying(text, fromEnd)).toBe(true);
  });
  fc.assert(property, { numRuns: 100 });
});

it("counts lines however short they are", () => {
  expect(keptOutput("\n".repeat(1999), "bash")).toHaveLength(1999);
  expect(keptOutput("\n".repeat(5000), "bash")).toHaveLength(1999);
  expect(keptOutput("a\n".repeat(5000), "read")).toHaveLength(3999);
});

it("leaves out a single line that is too long where the beginning is kept, and cuts it where the end is", () => {
  const long = "x".repeat(60_000);
  expect(keptOutput(long, "read")).toBe("");
  expect(keptOutput(long, "bash")).toHaveLength(OUTPUT_BYTES);
  // 51,200 bytes are 17,066 characters of three, and two bytes of another.
  expect(keptOutput("中".repeat(20_000), "bash")).toHaveLength(17_066);
});

it("leaves what is within the limits as it is", () => {
  const fits = `${"y".repeat(100)}\n`.repeat(500);
  expect(keptOutput(fits, "read")).toBe(fits);
  expect(keptOutput(fits, "bash")).toBe(fits);
});
