import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { expandGolden, type GoldenCase, type GoldenFile, runGoldenFile } from "../golden";
import { conformance } from "./conformance";
import { toItem } from "./item";
import { codexPreset } from "./presets";
import { serializeItem } from "./serialize";

const FOLDER = fileURLToPath(new URL("../../../../shared/goldens/codex/", import.meta.url));
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((preset) => readdirSync(`${FOLDER}${preset}`).map((file) => `${preset}/${file}`))
  : [];

/** The exact JSON that was measured stands beside a case. */
type CodexCase = GoldenCase & { readonly serialized?: string };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The file's shape is that of interfaces.md §3. */
function golden(name: string): GoldenFile & { readonly cases: readonly CodexCase[] } {
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8"));
}

describe.skipIf(files.length === 0)("golden cases (skipped without ../shared/goldens)", () => {
  it.each(files)("%s", async (name) => {
    const file = golden(name);
    const adapter = conformance[file.function];
    if (adapter === undefined) throw new Error(`no adapter for ${file.function}`);
    const results = await runGoldenFile(file, adapter, sha256);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter((result) => result.difference !== undefined)).toEqual([]);
  });

  it.each(files.filter((name) => name.endsWith("estimate-items.json")))("%s measures the same JSON", (name) => {
    const file = golden(name);
    for (const one of file.cases) {
      if (one.serialized === undefined) continue;
      const input = expandGolden(one.input);
      const item = typeof input === "object" && input !== null && "item" in input ? toItem(input.item) : undefined;
      expect(item && serializeItem(item, codexPreset(file.preset)), one.id).toBe(expandGolden(one.serialized));
    }
  });
});
