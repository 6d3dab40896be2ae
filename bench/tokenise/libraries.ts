import type { Encoding } from "@/lib/server/tokens/tables";

/** A counter that can forget the texts it has counted. */
export interface Counter {
  count(text: string): number;
  forget(): void;
}

/** Our own counter and those of other libraries, each loaded on demand and set to count special tokens as text. */
export const LIBRARIES = {
  own: async (encoding) => {
    const { bpeOf } = await import("@/lib/server/tokens/tables");
    let bpe = bpeOf(encoding);
    return {
      count: (text) => bpe.count(text),
      forget: () => {
        bpe = bpe.fresh();
      },
    };
  },
  "js-tiktoken": async (encoding) => {
    const { Tiktoken } = await import("js-tiktoken/lite");
    const table =
      encoding === "o200k" ? import("js-tiktoken/ranks/o200k_base") : import("js-tiktoken/ranks/cl100k_base");
    const reference = new Tiktoken((await table).default);
    return { count: (text) => reference.encode(text, [], []).length, forget: () => undefined };
  },
  "gpt-tokenizer": async (encoding) => {
    const module =
      encoding === "o200k" ? import("gpt-tokenizer/encoding/o200k_base") : import("gpt-tokenizer/encoding/cl100k_base");
    const { countTokens, clearMergeCache } = await module;
    const asText = { disallowedSpecial: new Set<string>() };
    return { count: (text) => countTokens(text, asText), forget: clearMergeCache };
  },
  "ai-tokenizer": async (encoding) => {
    const { Tokenizer } = await import("ai-tokenizer");
    const table =
      encoding === "o200k"
        ? await import("ai-tokenizer/encoding/o200k_base")
        : await import("ai-tokenizer/encoding/cl100k_base");
    let tokenizer = new Tokenizer(table);
    return {
      // Its `count` refuses special tokens.
      count: (text) => tokenizer.encode(text, [], []).length,
      forget: () => {
        tokenizer = new Tokenizer(table);
      },
    };
  },
  "tiktoken (WASM)": async (encoding) => {
    const { get_encoding } = await import("tiktoken");
    const native = get_encoding(encoding === "o200k" ? "o200k_base" : "cl100k_base");
    return { count: (text) => native.encode(text, [], []).length, forget: () => undefined };
  },
} as const satisfies Readonly<Record<string, (encoding: Encoding) => Promise<Counter>>>;

export type LibraryName = keyof typeof LIBRARIES;
export const LIBRARY_NAMES = Object.keys(LIBRARIES).filter(isLibraryName);

/** True if a name is one of the libraries. */
export function isLibraryName(name: string): name is LibraryName {
  return Object.hasOwn(LIBRARIES, name);
}
