import { expect, test } from "vitest";
import { vocabularyOf } from "./agents";

test.each([
  ["o200k", "o200k"],
  ["cl100k", "cl100k"],
  ["clawdcode", "cl100k"],
  ["clawdcode-fast", undefined],
  ["codex", undefined],
  ["bytes-4", undefined],
])("the estimator %s counts with the vocabulary %s", (estimator, vocabulary) => {
  expect(vocabularyOf(estimator)).toBe(vocabulary);
});
