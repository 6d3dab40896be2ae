import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/**
 * Values in a file may be of any type and have any name. `String(value)` throws for an object with a field `toString`, and a plain object as a table has an
 * entry under `constructor`: `writtenAs` and `entryOf` of `lib/core/records/fields.ts` avoid both.
 */
const FOLDERS = ["lib/agents", "lib/core/records", "lib/core/transcript", "lib/sandbox/checked-answers.ts"];
const HELPERS = path.join("lib", "core", "records", "fields.ts");

function sourcesOf(folder: string): readonly string[] {
  if (folder.endsWith(".ts")) return [folder];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.|(^|[\\/])(testing|planted-\w+)[\\/]/.test(name))
    .map((name) => path.join(folder, name))
    .filter((name) => name !== HELPERS && !isOfGoldenCases(name));
}

/** Golden cases are ours, and their inputs have the expected types. */
function isOfGoldenCases(file: string): boolean {
  return /(^|[\\/])(conformance|golden)\.ts$/.test(file);
}

/** Violations in a source, each with its line: `String` of a value, and entries of a table of texts without a check that they are its own. */
function violationsIn(source: string): readonly string[] {
  const tables = [...source.matchAll(/^(?:export )?const (\w+): (?:Readonly<|Partial<)*Record<string,[^\n]*= \{/gm)];
  const names = tables.map(([, name]) => name);
  return source.split("\n").flatMap((line, at) => {
    if (/^\s*(\/?\*|\/\/)/.test(line)) return [];
    const looked = names.filter((name) => new RegExp(`\\b${name}\\[`).test(line) && !line.includes(`hasOwn(${name},`));
    const written = /\bString\(|\bmap\(String\)/.test(line);
    return looked.length > 0 || written ? [`${at + 1}: ${line.trim()}`] : [];
  });
}

test("no reader passes a file's value to String, or looks up a file's name in a plain object", () => {
  const files = FOLDERS.flatMap(sourcesOf);
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    violationsIn(readFileSync(file, "utf8")).map((violation) => `${file}:${violation}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["const type = String(record.type);", 1],
  ["values.map(String);", 1],
  ["const NAMES: Readonly<Record<string, string>> = {\n};\nconst name = NAMES[type];", 1],
  [
    "const NAMES: Readonly<Record<string, string>> = {\n};\nreturn Object.hasOwn(NAMES, type) ? NAMES[type] : undefined;",
    0,
  ],
  ["// String(record.type) throws", 0],
])("%j has %i violations", (source, count) => {
  expect(violationsIn(source)).toHaveLength(count);
});
