import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import o200k from "js-tiktoken/ranks/o200k_base";

const STATIC = fileURLToPath(new URL("../.next/static", import.meta.url));

const files = readdirSync(STATIC, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(STATIC, name), "utf8") }));

/** The names of the files that contain one of the fragments. */
function holding(...fragments: readonly string[]): string[] {
  return files.filter(({ text }) => fragments.some((fragment) => text.includes(fragment))).map(({ name }) => name);
}

test("the browser loads pages, but no tokenizer tables", () => {
  expect(files.length).toBeGreaterThan(5);
  for (const { bpe_ranks } of [o200k, cl100k]) {
    const stretches = [1000, 50_000, 300_000].map((at) => bpe_ranks.slice(at, at + 120));
    expect(holding(...stretches)).toEqual([]);
  }
});

test("the browser loads no schemas", () => {
  // Names that zod 4 keeps at run time, even when minified.
  expect(holding("ZodError", "invalid_union", "unrecognized_keys", "$ZodType")).toEqual([]);
});

test("the bundles contain no address of another host", () => {
  const loads = /(?:src|href|url\()\s*[=(]?\s*["']https?:\/\/(?!127\.0\.0\.1|localhost)[^"']+/g;
  expect(files.flatMap(({ text }) => [...text.matchAll(loads)].map(([match]) => match))).toEqual([]);
});
