import { expect, test } from "vitest";

// Plain JavaScript, as the other checks are.
const { unclearWords } = (await import("./words.mjs" as string)) as { unclearWords: (source: string) => string[] };

test.each([
  ["a clause in place of a noun", "const a = 1;\n\n/** What a cell holds. */", ["3: begins with What"]],
  ["a clause on the second line", "/**\n * Whether it is open.\n */", ["1: begins with Whether"]],
  ["a banned phrase after code", "f(); // whoever calls", ["1: whoever"]],
  ["a banned phrase across lines", "  // The content that was needed\n  // again.", ["1: needed again"]],
  ["both", "/** How much the dearest request cost. */", ["1: begins with How", "1: the dearest"]],
  ["plain words", "/** The caller's cells. That is all. */\n// How it works", []],
  ["code", 'const whoever = "who asks"; // fine', []],
  ["a name in code", "/** Message `session.lens`. */", []],
])("finds in %s", (_name, source, expected) => {
  expect(unclearWords(source)).toEqual(expected);
});
