import fc from "fast-check";
import { expect, it } from "vitest";
import { stringChars } from "./string-chars";

/** The rule's table as expressions over one code point. Source: README.md, "String sizes". */
const CLASSES: readonly (readonly [weight: number, points: RegExp])[] = [
  [4, /^[\u{b7}\u{3000}-\u{319f}\u{4e00}-\u{9fa5}\u{ac00}-\u{d7af}\u{ff01}-\u{ff60}]$/u],
  [12, /^[\u{1100}-\u{11ff}\u{2e80}-\u{2fff}\u{31a0}-\u{4dff}\u{9fa6}-\u{9fff}\u{a000}-\u{a4ff}\u{a700}-\u{a707}]$/u],
  [12, /^[\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}\u{f900}-\u{faff}\u{1d360}-\u{1d371}]$/u],
  [
    8,
    /^(?:\u{305}|\u{323}|[\u{2c7}\u{2c9}-\u{2cb}\u{2d9}\u{2ea}-\u{2eb}\u{fe10}-\u{fe4f}\u{ff61}-\u{ffdc}\u{ffe0}-\u{ffe6}])$/u,
  ],
  [16, /^[\u{16fe0}-\u{16fff}\u{1aff0}-\u{1b16f}\u{1f200}-\u{1f2ff}\u{20000}-\u{2fa1f}\u{30000}-\u{3347f}]$/u],
];

/** One code point's weight, with a minimum for each of its units. */
function weight(point: string, leastPerUnit: number): number {
  const [own = 0] = CLASSES.find(([, points]) => points.test(point)) ?? [];
  return Math.max(own, point.length * leastPerUnit);
}

function byDefinition(text: string, leastPerUnit: number): number {
  return [...text].reduce((sum, point) => sum + weight(point, leastPerUnit), 0);
}

it("the size of a code point is its weight in the table", () => {
  const wrong: string[] = [];
  for (let point = 0; point <= 0x4_0000; point++) {
    const text = String.fromCodePoint(point);
    if (stringChars(text) !== weight(text, 1)) wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
});

it("the size of a text is the sum over code points, each at least its unit count", () => {
  // At and next to the edges at which one unit, a pair, and half a pair differ.
  const point = fc.constantFrom(
    "a",
    "\u00b6",
    "·",
    "ˇ",
    "中",
    "あ",
    "한",
    "\ud7ff",
    "\ud83d",
    "\udfff",
    "\uffff",
    "😀",
    "𝍠",
    "𠀀",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(point).map((points) => points.join("")),
  );
  const property = fc.property(text, (sample) => {
    expect(stringChars(sample)).toBe(byDefinition(sample, 1));
    expect(stringChars(sample, 2)).toBe(byDefinition(sample, 2));
  });
  fc.assert(property, { numRuns: 1000 });
});

it.each([
  ["", 0, 0],
  ["word", 4, 8],
  ["中文", 8, 8],
  ["😀", 2, 4],
  ["\ud83d", 1, 2],
  ["ᄀ", 12, 12],
  ["𠀀", 16, 16],
  ["한·ˇ", 16, 16],
])("%j counts as %d chars, or %d if units count twice", (text, once, twice) => {
  expect(stringChars(text)).toBe(once);
  expect(stringChars(text, 2)).toBe(twice);
});
