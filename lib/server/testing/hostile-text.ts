/** Texts for the tests of token counts, on which tokenizers have disagreed. */
import fc from "fast-check";

/** Fragments that meet in odd places: classes of the split patterns, cases of their exceptions, and bytes that tokens break in the middle. */
const FRAGMENTS = [
  ...[
    "a",
    "B",
    "word",
    "Word",
    "WORD",
    "camelCase",
    "HTMLParser",
    "ǅ",
    "ʰ",
    "ª",
    "ß",
    "ſ",
    "\u212a",
    "İ",
    "д",
    "Д",
    "ქართული",
  ],
  ...["'s", "'S", "'ſ", "'re", "'RE", "'rE", "'ve", "'ll", "'lL", "'d", "'m", "'t", "'", "''", "'x", "’s"],
  ...["0", "12", "345", "6789", "٣", "Ⅷ", "½", "𝟘", "1,000.50"],
  ...[
    " ",
    "  ",
    "     ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u0085",
    "\u00a0",
    "\u2028",
    "\u3000",
    "\ufeff",
    "\u200b",
    "\v",
    "\0",
  ],
  ...[
    "/",
    "//",
    "/*",
    ".",
    "...",
    "=====",
    "-----",
    "!?",
    "$",
    "_",
    "(",
    ")",
    "{}",
    "€",
    "“",
    "”",
    "—",
    "，",
    "。",
    "、",
  ],
  ...[
    "你",
    "好",
    "中国",
    "数据库",
    "読",
    "。\n",
    "한국어",
    "니다",
    "การ",
    "नमस्ते",
    "தமிழ்",
    "കേരളം",
    "日本語",
    "ー",
    "京赛车",
    "彩神",
  ],
  ...["😀", "👨‍👩‍👧", "🇨🇳", "❤️", "👍🏽", "\u200d", "\ufe0f", "é", "e\u0301", "\u0301", "\u0301\u0302", "\u20e3"],
  ...["\ud800", "\udc00", "\udbff\ud83d", "\ufffd", "\uffff", "𠀀", "𝒳", "\u{10ffff}"],
  ...["\u{1C89}", "\u{1C8A}", "\u{10D50}", "\u{10D70}", "\u{16D40}", "\u{A7CE}", "\u{2B73A}", "\u{323B0}"],
  ...["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|im_start|>", "<|"],
] as const;

const fragment = fc.constantFrom<string>(...FRAGMENTS);
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xffff }),
  fc.integer({ min: 0x4e00, max: 0x9fff }),
  fc.integer({ min: 0x10000, max: 0x10ffff }),
);

/** Strings of such fragments, of single characters of every plane, and of repeated fragments. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fragment },
      { weight: 2, arbitrary: character.map((point) => String.fromCodePoint(point)) },
      { weight: 1, arbitrary: fc.tuple(fragment, fc.integer({ min: 2, max: 30 })).map(([text, n]) => text.repeat(n)) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));
