import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Tiktoken } from "js-tiktoken/lite";
import { describe, expect, it } from "vitest";
import { bpeOf } from "@/lib/server/tokens/tables";
import { type GoldenFile, runGoldenFile } from "../golden";
import { createConformance } from "./conformance";
import type { CounterFor, Encoding } from "./encodings";

const FOLDER = fileURLToPath(new URL("../../../../shared/goldens/clawdcode/", import.meta.url));
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((preset) => readdirSync(`${FOLDER}${preset}`).map((file) => `${preset}/${file}`))
  : [];

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** The project's counters for the two encodings that it carries, js-tiktoken's for the older ones. */
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

const conformance = createConformance(counterFor);

describe("golden cases", () => {
  if (files.length === 0) it.skip("skipped: no golden cases beside the project (../shared/goldens)");

  it.for(files)("%s", async (name) => {
    // The file's shape is that of interfaces.md §3.
    const file = JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as GoldenFile;
    const adapter = conformance[file.function];
    if (adapter === undefined) throw new Error(`no adapter for ${file.function}`);
    const results = await runGoldenFile(file, adapter, sha256);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter((result) => result.difference !== undefined)).toEqual([]);
  });
});
