import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Conformance, type GoldenFile, runGoldenFile } from "../golden";

/** An agent's folder of golden cases. */
function folderOf(agent: string): string {
  return join(import.meta.dirname, "..", agent, "goldens");
}

/** Golden files of an agent, `<preset>/<function>.json`. */
export function goldenFiles(agent: string): readonly string[] {
  const folder = folderOf(agent);
  return readdirSync(folder).flatMap((preset) => readdirSync(join(folder, preset)).map((file) => `${preset}/${file}`));
}

/** A golden file's content, of the shape that docs/golden-cases.md gives. */
export function goldenFile(agent: string, name: string): GoldenFile {
  return JSON.parse(readFileSync(join(folderOf(agent), name), "utf8")) as GoldenFile;
}

/** How golden cases stand for a long text. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Every golden case of an agent through its adapters. */
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
