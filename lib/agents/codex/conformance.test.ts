import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { conformance } from "./conformance";
import { toItem } from "./item";
import { codexPreset } from "./presets";
import { serializeItem } from "./serialize";

const FOLDER = fileURLToPath(new URL("../../../../shared/goldens/codex/", import.meta.url));
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((preset) => readdirSync(`${FOLDER}${preset}`).map((file) => `${preset}/${file}`))
  : [];

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly serialized?: string;
}

/** Expands `{"$repeat": [text, n]}` and `{"$concat": [...]}`. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== "object" || value === null) return value;
  if ("$repeat" in value && Array.isArray(value.$repeat))
    return String(expanded(value.$repeat[0])).repeat(value.$repeat[1]);
  if ("$concat" in value && Array.isArray(value.$concat)) return value.$concat.map(expanded).join("");
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, expanded(entry)]));
}

/** Keys of an expected object are judged one by one; keys that are absent are not judged. */
function expectAsGolden(got: unknown, expected: unknown): void {
  if (typeof expected === "object" && expected !== null && !Array.isArray(expected))
    expect(got).toMatchObject(expected);
  else expect(got).toEqual(expected);
}

describe.skipIf(files.length === 0)("golden cases (skipped without ../shared/goldens)", () => {
  it.each(files)("%s", (name) => {
    // The file's shape is that of interfaces.md §3.
    const file = JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as {
      preset: string;
      function: string;
      cases: Case[];
    };
    const run = conformance[file.function];
    expect(run, file.function).toBeDefined();
    expect(file.cases.length).toBeGreaterThan(0);
    const failed = file.cases.flatMap((one) => {
      try {
        expectAsGolden(run?.(expanded(one.input), file.preset), expanded(one.expected));
        return [];
      } catch (problem) {
        return [`${one.id}: ${String(problem).slice(0, 600)}`];
      }
    });
    expect(failed).toEqual([]);
  });

  it.each(files.filter((name) => name.endsWith("estimate-items.json")))("%s measures the same JSON", (name) => {
    const file = JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")) as { preset: string; cases: Case[] };
    for (const one of file.cases) {
      if (one.serialized === undefined) continue;
      const input = expanded(one.input);
      const item = typeof input === "object" && input !== null && "item" in input ? toItem(input.item) : undefined;
      expect(item && serializeItem(item, codexPreset(file.preset)), one.id).toBe(expanded(one.serialized));
    }
  });
});
