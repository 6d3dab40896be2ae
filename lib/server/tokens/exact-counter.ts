import { createRequire } from "node:module";
import { Tiktoken } from "js-tiktoken/lite";
import type { CounterFor, Encoding } from "@/lib/core/tokens/encodings";
import { createTokenCounter, type TokenCounter } from "./counter";

const counters = new Map<string, TokenCounter>();
const older = new Map<Encoding, Tiktoken>();
const require = createRequire(import.meta.url);
/** Each by its full literal name: for a computed name, a bundler includes all candidates. */
const OLDER_TABLES = {
  gpt2: () => require("js-tiktoken/ranks/gpt2"),
  r50k_base: () => require("js-tiktoken/ranks/r50k_base"),
  p50k_base: () => require("js-tiktoken/ranks/p50k_base"),
  p50k_edit: () => require("js-tiktoken/ranks/p50k_edit"),
} as const;

/** The process's counter of an encoding that this program implements: there is only one, so that no text is counted twice. */
export function sharedCounter(encoding: "o200k" | "cl100k"): TokenCounter {
  const known = counters.get(encoding) ?? createTokenCounter(encoding);
  counters.set(encoding, known);
  return known;
}

/**
 * An exact counter for any encoding of js-tiktoken. Encodings of models from before 2023 use js-tiktoken's own encoder, which is slow on long runs of
 * one kind; they are reached only by naming such a model on the command line.
 */
export const exactCounter: CounterFor = (encoding) => {
  if (encoding === "o200k_base") return (text) => sharedCounter("o200k").count(text);
  if (encoding === "cl100k_base") return (text) => sharedCounter("cl100k").count(text);
  const tokenizer = older.get(encoding) ?? new Tiktoken(OLDER_TABLES[encoding]());
  older.set(encoding, tokenizer);
  return (text) => tokenizer.encode(text, [], []).length;
};
