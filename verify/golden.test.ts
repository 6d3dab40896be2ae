import { expect, test } from "vitest";
import { AnswerWithCalls, differenceOf, expandGolden, runGoldenFile } from "./golden";

const sha256 = (text: string) => `hash of ${text.length}`;

test("repeats and concatenations in an input are expanded in place and in order", () => {
  expect(expandGolden({ b: { $repeat: ["xy", 3] }, a: [{ $concat: ["1", { $repeat: ["2", 2] }] }] })).toEqual({
    b: "xyxyxy",
    a: ["122"],
  });
});

test.each([
  [{ a: 1, b: 2 }, { a: 1 }, undefined],
  [{ a: 1 }, { a: 2 }, ".a: got 1, expected 2"],
  [undefined, null, undefined],
  [Number.NaN, "NaN", undefined],
  [[1, 2], [1], ": 2 entries, expected 1"],
  ["abc", { $string: { length: 3, sha256: "hash of 3" } }, undefined],
  ["abc", { $string: { length: 3, sha256: "another" } }, ": another long string"],
  [0, null, "answer: got 0, expected null"],
])("the difference of %j from %j is %s", (got, expected, difference) => {
  expect(differenceOf(got, expected, "", sha256)).toBe(difference);
});

test("a case passes or fails by its answer, its error and its number of model calls", async () => {
  const file = {
    system: "s",
    preset: "p",
    function: "f",
    cases: [
      { id: "value", input: 2, expected: 4 },
      { id: "throws", input: -1, throws: "negative" },
      { id: "calls", input: 3, expected: 6, modelCalls: 1 },
      { id: "wrong", input: 3, expected: 7 },
      { id: "wrong calls", input: 3, expected: 6, modelCalls: 2 },
      { id: "no error", input: 1, throws: "negative" },
    ],
  };
  const double = (input: unknown) => {
    if (Number(input) < 0) throw new Error("negative");
    return new AnswerWithCalls(Number(input) * 2, 1);
  };
  const failed = (await runGoldenFile(file, double, sha256)).filter((result) => result.difference !== undefined);
  expect(failed.map((result) => result.id)).toEqual(["wrong", "wrong calls", "no error"]);
});
