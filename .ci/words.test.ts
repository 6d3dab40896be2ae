import { expect, test } from "vitest";

// Plain JavaScript, as the other checks are.
const { unclearWords, unclearTitles, unclearProse } = (await import("./words.mjs" as string)) as Record<
  "unclearWords" | "unclearTitles" | "unclearProse",
  (source: string, isChinese?: boolean) => string[]
>;

test.each([
  ["a clause in place of a noun", "const a = 1;\n\n/** What a cell holds. */", ["3: begins with What"]],
  ["a clause on the second line", "/**\n * Whether it is open.\n */", ["1: begins with Whether"]],
  ["a banned phrase after code", "f(); // whoever calls", ["1: whoever"]],
  ["a banned phrase across lines", "  // The content that was needed\n  // again.", ["1: needed again"]],
  ["both", "/** How much the dearest request cost. */", ["1: begins with How", "1: dearest"]],
  ["a second term for one thing", "/** Cost of the best schedule. */", ["1: best schedule"]],
  ["a verb without its object", "// The file does not tell.", ["1: does not tell"]],
  ["a negated noun", "// It is no file, there is no file, it is no longer one.", ["1: is no file"]],
  ["plain words", "/** The caller's cells. That is all. */\n// How it works", []],
  ["code", 'const whoever = "who asks"; // fine', []],
  ["a name in code", "/** Message `session.lens`. */", []],
])("the check finds a fault in comments: %s", (_name, source, expected) => {
  expect(unclearWords(source)).toEqual(expected);
});

test.each([
  ["a clause", 'test("what a cell holds", f);', ["1: begins with what"]],
  ["a table's title", 'test.each([\n  1,\n])("that %s is read", f);', ["3: begins with that"]],
  ["a step", 'await test.step(\n  "the lens opens", f);', ["2: lens"]],
  ["plain words", 'describe("what-if settings", () => it("keep the caller", f));', []],
  ["a schema's text", 'z.string().describe("what is shown");', []],
])("the check finds a fault in test titles: %s", (_name, source, expected) => {
  expect(unclearTitles(source)).toEqual(expected);
});

test.each([
  ["a document", "# Tabs\nWhoever reads it.", ["2: Whoever"]],
  ["a message", '{\n  "lens": "Content that was needed again"\n}', ["2: needed again"]],
  ["a heading", "## What stays\n## What stays?", ["1: begins with What"]],
  ["a name in code", "The key `lens` and its tab.", []],
])("the check finds a fault in lines of %s", (_name, text, expected) => {
  expect(unclearProse(text)).toEqual(expected);
});

test("the check finds synonyms of a term in a Chinese message", () => {
  const text = '{\n  "tokens": "子智能体用了 {tokens, number} token",\n  "other": "重放：12 tokens"\n}';
  expect(unclearProse(text, true)).toEqual(["3: 重放", "3: tokens"]);
});
