import fc from "fast-check";
import { expect, it } from "vitest";
import { OUTPUT_BYTES, OUTPUT_LINES } from "../base/constants";
import { keptOutput } from "./output-limit";

const bytes = (text: string) => Buffer.byteLength(text);

/** The longest run of whole lines from one end within both limits, found by trying all of them. */
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

/** The longest end of a text within the limit, built character by character. */
function endOf(text: string): string {
  let [size, units] = [0, 0];
  for (const point of [...text].reverse()) {
    size += bytes(point);
    if (size > OUTPUT_BYTES) break;
    units += point.length;
  }
  return text.slice(text.length - units);
}

const line = fc
  .tuple(fc.constantFrom("x", "é", "中"), fc.constantFrom(0, 1, 9000, 20_000, 60_000))
  .map(([unit, length]) => unit.repeat(length));

it.each([
  ["bash", true],
  ["Bash", true],
  ["read", false],
  [undefined, false],
])("an output keeps the whole lines that fit both limits: %s", (tool, fromEnd) => {
  const property = fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
    const text = lines.join("\n");
    expect(keptOutput(text, tool) === byTrying(text, fromEnd)).toBe(true);
  });
  fc.assert(property, { numRuns: 100 });
});

it("an output within the byte limit is still limited in lines", () => {
  expect(keptOutput("\n".repeat(1999), "bash")).toHaveLength(1999);
  expect(keptOutput("\n".repeat(5000), "bash")).toHaveLength(1999);
  expect(keptOutput("a\n".repeat(5000), "read")).toHaveLength(3999);
});

/** Texts exactly at each limit and next to it: either the bytes of the first lines or the number of lines reaches it. */
const atLimits = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, 2, 1000, OUTPUT_BYTES - 1, OUTPUT_BYTES), fc.integer({ min: -2, max: 2 }))
    .map(([first, off]) => {
      const second = OUTPUT_BYTES - first - 1 + off;
      return ["x".repeat(first), ...(second < 0 ? [] : ["y".repeat(second)])].join("\n");
    }),
  fc
    .tuple(fc.constantFrom("", "a", "é"), fc.integer({ min: -2, max: 2 }), fc.constantFrom("", "z"))
    .map(([unit, off, end]) => `${unit}\n`.repeat(OUTPUT_LINES + off) + end),
);

it.each([
  ["bash", true],
  ["read", false],
])("an output keeps exactly the text within the limits: %s", (tool, fromEnd) => {
  const property = fc.property(atLimits, (text) => {
    expect(keptOutput(text, tool) === byTrying(text, fromEnd)).toBe(true);
  });
  fc.assert(property, { numRuns: 60 });
});

it.each(["bash", "read"])("an output exactly at the limits stays whole: %s", (tool) => {
  for (const text of ["x".repeat(OUTPUT_BYTES), `x\n${"y".repeat(OUTPUT_BYTES - 2)}`, "\n".repeat(OUTPUT_LINES - 1)]) {
    expect(keptOutput(text, tool) === text).toBe(true);
  }
  expect(keptOutput("\n".repeat(OUTPUT_LINES), tool)).toHaveLength(OUTPUT_LINES - 1);
});

it("a single line that is too long is dropped from a kept beginning, and cut in a kept end", () => {
  const long = "x".repeat(60_000);
  expect(keptOutput(long, "read")).toBe("");
  expect(keptOutput(long, "bash")).toHaveLength(OUTPUT_BYTES);
  // 51,200 bytes are 17,066 characters of three bytes, and two bytes of the next.
  expect(keptOutput("中".repeat(20_000), "bash")).toHaveLength(17_066);
});

it("a cut never splits a character of a single line", () => {
  // Characters of one to four bytes, half a surrogate pair, and a byte order mark, which decoders like to drop.
  const point = fc.constantFrom("x", "é", "中", "😀", "\ud83d", "\ufeff");
  const long = fc
    .tuple(point, fc.array(point, { maxLength: 4 }), fc.constantFrom("x", "中", "😀"), fc.nat(3))
    .map(([first, some, unit, more]) => first + some.join("") + unit.repeat(OUTPUT_BYTES / bytes(unit) - more));
  const property = fc.property(long, (text) => {
    expect(keptOutput(text, "bash") === endOf(text)).toBe(true);
  });
  fc.assert(property, { numRuns: 50 });
  expect(keptOutput(`x\ufeff${"x".repeat(OUTPUT_BYTES - 3)}`, "bash")).toHaveLength(OUTPUT_BYTES - 2);
});

it("an output within the limits stays unchanged", () => {
  const fits = `${"y".repeat(100)}\n`.repeat(500);
  expect(keptOutput(fits, "read")).toBe(fits);
  expect(keptOutput(fits, "bash")).toBe(fits);
});
