import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Conformance, type GoldenFile, runGoldenFile } from "../golden";

const GOLDENS = fileURLToPath(new URL("../../../../shared/goldens/", import.meta.url));

/** Golden files of a system, `<preset>/<function>.json`; none where the folder is absent. */
export function goldenFiles(system: string): readonly string[] {
  const folder = `${GOLDENS}${system}/`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((preset) => readdirSync(`${folder}${preset}`).map((file) => `${preset}/${file}`));
}

/** A golden file's content, of the shape of interfaces.md §3. */
export function goldenFile(system: string, name: string): GoldenFile {
  return JSON.parse(readFileSync(`${GOLDENS}${system}/${name}`, "utf8")) as GoldenFile;
}

/** How golden cases stand for a long text. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Every golden case of a system through its adapters; skipped, and said so, where there are none. */
export function describeGoldenCases(system: string, conformance: Conformance): void {
  const files = goldenFiles(system);
  describe.skipIf(files.length === 0)("golden cases (skipped without ../shared/goldens)", () => {
    it.each(files)("%s", async (name) => {
      const file = goldenFile(system, name);
      const adapter = conformance[file.function];
      if (adapter === undefined) throw new Error(`no adapter for ${file.function}`);
      const results = await runGoldenFile(file, adapter, sha256);
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter((result) => result.difference !== undefined)).toEqual([]);
    });
  });
}
