import { createRequire } from "node:module";
import { Tiktoken } from "js-tiktoken/lite";
import type { CounterFor, Encoding } from "@/lib/core/tokens/encodings";
import { bpeOf } from "@/lib/server/tokens/tables";
import { describeGoldenCases } from "../../testing/golden-cases";
import { createConformance } from "./conformance";

/** The project's counters for the two encodings that it carries, and js-tiktoken's for the older ones. */
const counterFor: CounterFor = (encoding) => {
  if (encoding === "o200k_base") return bpeOf("o200k").count;
  if (encoding === "cl100k_base") return bpeOf("cl100k").count;
  const tokenizer = older(encoding);
  return (text) => tokenizer.encode(text, [], []).length;
};

const require = createRequire(import.meta.url);
const loaded = new Map<Encoding, Tiktoken>();

function older(encoding: Encoding): Tiktoken {
  const known = loaded.get(encoding) ?? new Tiktoken(require(`js-tiktoken/ranks/${encoding}`));
  loaded.set(encoding, known);
  return known;
}

describeGoldenCases("clawdcode", createConformance(counterFor));
