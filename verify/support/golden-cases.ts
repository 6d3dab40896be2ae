import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Conformance, type GoldenFile, runGoldenFile } from "../golden";

/** The folder with an agent's golden cases. */
function folderOf(agent: string): string {
  return join(import.meta.dirname, "..", "agents", agent, "goldens");
}

/** The golden files of an agent, as `<preset>/<function>.json`. */
export function goldenFiles(agent: string): readonly string[] {
  const folder = folderOf(agent);
  return readdirSync(folder).flatMap((preset) => readdirSync(join(folder, preset)).map((file) => `${preset}/${file}`));
}

/** The content of a golden file, whose shape docs/golden-cases.md describes. */
export function goldenFile(agent: string, name: string): GoldenFile {
  return JSON.parse(readFileSync(join(folderOf(agent), name), "utf8")) as GoldenFile;
}

/** The digest that represents a long text in golden cases. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Runs every golden case of an agent through its adapters. */
export function describeGoldenCases(agent: string, conformance: Conformance): void {
  describe("golden cases", () => {
    it.each(goldenFiles(agent))("%s", async (name) => {
      const file = goldenFile(agent, name);
      const adapter = conformance[file.function];
      if (adapter === undefined) throw new Error(`no adapter for ${file.function}`);
      const results = await runGoldenFile(file, adapter, sha256);
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter((result) => result.difference !== undefined)).toEqual([]);
    });
  });
}
