import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CL100K_PATTERN, cl100kPieceEnd, O200K_PATTERN, o200kPieceEnd, type PieceEnd } from "./scanner";
import { createWindow, fillWindow, windowEnd } from "./window";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const PATTERNS = [
  { name: "o200k", pattern: new RegExp(O200K_PATTERN, "gu"), pieceEnd: o200kPieceEnd },
  { name: "cl100k", pattern: new RegExp(CL100K_PATTERN, "gu"), pieceEnd: cl100kPieceEnd },
];

/** Characters of every class in the patterns, and the letters and signs that a pattern names. */
const ALPHABET = [
  ...["a", "z", "A", "ǅ", "ʰ", "中", "ª", "\u0301", "\u0903", "1", "٣", "½", "𝟘", "𠀀", "𝒳", "😀", "\ud800", "\udc00"],
  ...[" ", " ", "\t", "\u3000", "\u00a0", "\ufeff", "\n", "\r", "\u0085", "\u2028", "/", "'", "'", "!", "。", "\0"],
  ...["s", "S", "t", "T", "r", "R", "e", "E", "v", "V", "m", "M", "l", "L", "d", "D", "ſ", "\u212a"],
];
const text = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 40 }).map((parts) => parts.join(""));

/** Piece with U+FFFD for lone surrogates, as in the window. */
function wellFormed(piece: string): string {
  return decoder.decode(new TextEncoder().encode(piece));
}

function scan(whole: string, pieceEnd: PieceEnd, classesOf = (classes: Uint8Array) => classes): string[] {
  const window = createWindow();
  const pieces: string[] = [];
  for (let from = 0; from < whole.length; ) {
    const to = windowEnd(whole, from);
    fillWindow(window, whole, from, to);
    const classes = classesOf(window.classes);
    for (let start = 0; start < window.length; ) {
      const end = pieceEnd(classes, window.bytes, start);
      pieces.push(decoder.decode(window.bytes.slice(start, end)));
      start = end;
    }
    from = to;
  }
  return pieces;
}

describe.each(PATTERNS)("$name", ({ pattern, pieceEnd }) => {
  it("splits at the same positions as the regular expression", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const expected = [...whole.matchAll(pattern)].map(([piece]) => wellFormed(piece));
        expect(scan(whole, pieceEnd)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("splits at the same positions as the regular expression across windows", () => {
    const sentence = "It's 1234 o'clock,\r\n  中文 e\u0301A ( /x\n/\n) DON'T   \u3000x 👍🏽";
    for (const whole of [
      sentence.repeat(700),
      "ab".repeat(20_000),
      " \n".repeat(20_000),
      `${" ".repeat(40_000)}x 'll`,
    ]) {
      expect(scan(whole, pieceEnd)).toEqual([...whole.matchAll(pattern)].map(([piece]) => piece));
    }
  });

  it("reads each character a bounded number of times", () => {
    const repeated = [
      "A",
      "中A",
      "A中",
      "\u0301",
      "\u0301A",
      " ",
      " \n",
      "\n ",
      "\u3000",
      "'",
      "'S",
      "/\n",
      "! ",
      "1",
      "Aa",
      "中",
      "😀",
      "A\u0301!",
    ];
    for (const unit of [...repeated, `\n${" ".repeat(20_000)}`, `中${"A".repeat(20_000)}`]) {
      const whole = unit.repeat(Math.ceil(20_000 / unit.length));
      let reads = 0;
      const counted = (classes: Uint8Array) =>
        new Proxy(classes, {
          get(target, key) {
            reads++;
            return Reflect.get(target, key);
          },
        });
      scan(whole, pieceEnd, counted);
      expect(reads / new TextEncoder().encode(whole).length).toBeLessThan(6);
    }
  });
});
