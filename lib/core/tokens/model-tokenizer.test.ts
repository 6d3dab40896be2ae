import { expect, it } from "vitest";
import { tokenizerMatch } from "./model-tokenizer";

it.each([
  ["o200k", ["gpt-5-codex"], "model"],
  ["o200k", ["openai/gpt-5", "gpt-4o-mini"], "model"],
  ["o200k", ["gpt-5", "claude-opus-4-5"], "other-model"],
  ["o200k", ["claude-sonnet-4-5"], "other-model"],
  ["o200k", ["gemini-2.5-pro"], "other-model"],
  ["o200k", [], "other-model"],
  ["o200k", ["gpt-4-turbo"], "other-model"],
  ["cl100k", ["gpt-4-turbo", "gpt-3.5-turbo-16k"], "model"],
  ["cl100k", ["gpt-4.1"], "other-model"],
  [undefined, ["gpt-5"], "rule"],
] as const)("tokenizerMatch of %s with the models %j is %s", (vocabulary, models, match) => {
  expect(tokenizerMatch(vocabulary, models)).toBe(match);
});
