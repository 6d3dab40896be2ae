import type { Chars } from "@/lib/core/base/units";

/**
 * A text's size in "chars", four of which make a token, with Chinese, Japanese and Korean weighted as tokenizers count them. Source: README.md,
 * "String sizes"; openclaw@2026.9.6, normalization-core/cjk-chars.
 */

/** Weights, each with its inclusive ranges of code points. Anything outside weighs one for each UTF-16 unit. */
const WEIGHTS: readonly (readonly [weight: number, ranges: readonly (readonly [number, number])[]])[] = [
  [
    4,
    [
      [0xb7, 0xb7],
      [0x3000, 0x319f],
      [0x4e00, 0x9fa5],
      [0xac00, 0xd7af],
      [0xff01, 0xff60],
    ],
  ],
  [
    12,
    [
      [0x1100, 0x11ff],
      [0x2e80, 0x2fff],
      [0x31a0, 0x4dff],
      [0x9fa6, 0x9fff],
      [0xa000, 0xa4ff],
      [0xa700, 0xa707],
      [0xa960, 0xa97f],
      [0xd7b0, 0xd7ff],
      [0xf900, 0xfaff],
      [0x1d360, 0x1d371],
    ],
  ],
  [
    8,
    [
      [0x2c7, 0x2c7],
      [0x2c9, 0x2cb],
      [0x2d9, 0x2d9],
      [0x2ea, 0x2eb],
      [0x305, 0x305],
      [0x323, 0x323],
      [0xfe10, 0xfe4f],
      [0xff61, 0xffdc],
      [0xffe0, 0xffe6],
    ],
  ],
  [
    16,
    [
      [0x16fe0, 0x16fff],
      [0x1aff0, 0x1afff],
      [0x1b000, 0x1b16f],
      [0x1f200, 0x1f2ff],
      [0x20000, 0x2fa1f],
      [0x30000, 0x3347f],
    ],
  ],
];

const FIRST_WEIGHED = 0xb7;
const WEIGHT_BY_CODE_POINT = weightTable();

function weightTable(): Uint8Array {
  const table = new Uint8Array(0x33480);
  for (const [weight, ranges] of WEIGHTS) for (const [first, last] of ranges) table.fill(weight, first, last + 1);
  return table;
}

/**
 * The weighted size of a text.
 * @param leastPerUnit minimum weight of each unit of a code point: 1, or 2 for a caller that counts every unit twice
 */
export function stringChars(text: string, leastPerUnit: 1 | 2 = 1): Chars {
  let chars = text.length * leastPerUnit;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < FIRST_WEIGHED) continue;
    const codePoint = text.codePointAt(index) ?? unit;
    const units = codePoint > 0xffff ? 2 : 1;
    chars += Math.max(0, (WEIGHT_BY_CODE_POINT[codePoint] ?? 0) - units * leastPerUnit);
    index += units - 1;
  }
  return chars;
}
