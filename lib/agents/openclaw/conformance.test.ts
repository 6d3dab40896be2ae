import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { differenceOf, expandGolden, type GoldenFile, runGoldenFile } from "../golden";
import { conformance, contextReplies } from "./conformance";

const FOLDER = fileURLToPath(new URL("../../../../shared/goldens/openclaw/", import.meta.url));
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((preset) => readdirSync(`${FOLDER}${preset}`).map((file) => `${preset}/${file}`))
  : [];

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

function goldenFile(name: string): GoldenFile {
  // The file's shape is that of interfaces.md §3.
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as GoldenFile;
}

describe.skipIf(files.length === 0)("golden cases (skipped without ../shared/goldens)", () => {
  it.each(files)("%s", async (name) => {
    const file = goldenFile(name);
    expect(file.cases.length).toBeGreaterThan(0);
    const adapter = assertDefined(conformance[file.function], `an adapter for ${file.function}`);
    const results = await runGoldenFile(file, adapter, sha256);
    expect(results.filter((result) => result.difference !== undefined)).toEqual([]);
  });

  it("answers /context as the program does", () => {
    const name = files.find((file) => file.endsWith("systemPromptReport.json"));
    const cases = goldenFile(assertDefined(name, "the reports")).cases;
    let replies = 0;
    for (const golden of cases) {
      const expected = "contextReplies" in golden ? expandGolden(golden.contextReplies) : {};
      const commands = Object.keys(expected as object); // an object by the file's shape
      const got = contextReplies(expandGolden(golden.input), commands);
      expect(differenceOf(got, expected, golden.id, sha256)).toBeUndefined();
      replies += commands.length;
    }
    expect(replies).toBeGreaterThan(50);
  });
});
