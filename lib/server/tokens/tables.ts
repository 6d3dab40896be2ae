import { createRequire } from "node:module";
import { assert } from "@/lib/core/base/assert";
import { type Bpe, createBpe } from "@/lib/core/tokens/bpe";
import type { BpeTable } from "@/lib/core/tokens/vocabulary";

/** The encodings with bundled tables: o200k_base and cl100k_base. */
export type Encoding = keyof typeof TABLES;

/** Uses `require`, so that a table of megabytes is read on first use, and the caller need not wait for a promise. */
const require = createRequire(import.meta.url);
const TABLES = {
  o200k: (): unknown => require("js-tiktoken/ranks/o200k_base"),
  cl100k: (): unknown => require("js-tiktoken/ranks/cl100k_base"),
} as const;

const loaded = new Map<Encoding, Bpe>();

/** The encoding's counter over its table, which is read once per process. */
export function bpeOf(encoding: Encoding): Bpe {
  const known = loaded.get(encoding);
  if (known) return known;
  const bpe = createBpe(tableOf(TABLES[encoding]()));
  loaded.set(encoding, bpe);
  return bpe;
}

/** The table in the module, which is its default export, or the module itself. */
function tableOf(module: unknown): BpeTable {
  const table = property(module, "default") ?? module;
  const pat_str = property(table, "pat_str");
  const bpe_ranks = property(table, "bpe_ranks");
  assert(typeof pat_str === "string" && typeof bpe_ranks === "string", "a table with pat_str and bpe_ranks");
  return { pat_str, bpe_ranks };
}

function property(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, key) : undefined;
}
