import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type GoldenFile, runGoldenFile } from "../golden";
import { conformance } from "./conformance";

const FOLDER = fileURLToPath(new URL("../../../../shared/goldens/opencode/", import.meta.url));
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((preset) => readdirSync(`${FOLDER}${preset}`).map((file) => `${preset}/${file}`))
  : [];

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

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
