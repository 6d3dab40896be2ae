import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesIn, pathsIn } from "./paths";

/**
 * Pieces that make words and paths likely, with letters of several scripts, letters of two units, lone halves of them and marks that are not letters.
 */
const pieces = fc.constantFrom(
  ...[
    "/",
    ".",
    "..",
    "~",
    "@",
    "-",
    "_",
    " ",
    "\n",
    "a",
    "Bc",
    "src",
    "README.md",
    "x.ts",
    "ÄÖ",
    "straße",
    "修复日报",
    "𝒳𝓎",
    "ǅ",
    "é",
    "e\u0301",
  ],
  ..."\ud835 \udcb3 ٣ Ⅷ ✓ — 😀 %2e".split(" "),
);
const texts = fc
  .array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ unit: "binary" })))
  .map((all) => all.join(""));

describe("characters of names and paths", () => {
  it("names are long words according to Unicode's tables", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = [...text.matchAll(/[\p{L}\p{N}_]{8,}/gu)].map(([word]) => word);
        const names = words.filter((word) => word.includes("_") || (/\p{Ll}/u.test(word) && /\p{Lu}/u.test(word)));
        expect([...namesIn(text)]).toEqual([...new Set(names)]);
      }),
      { numRuns: 1000 },
    );
  });

  it("paths are runs of characters according to Unicode's tables", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const runs = [...text.matchAll(/[\p{L}\p{N}_.~@+%/-]+/gu)].map(([run]) => run);
        const alone = runs.flatMap((run) => [...pathsIn(run)]);
        expect([...pathsIn(text)]).toEqual([...new Set(alone)]);
      }),
      { numRuns: 1000 },
    );
  });
});
