import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROFILES } from "@/lib/agents/registry";

/** Folders whose code must work for an agent that they have never heard of. */
const AGENT_FREE = ["lib/core", "lib/server"];
const ROOT = join(import.meta.dirname, "..");

/** An agent's folder in an import, or its id as a separate string. */
const NAMES = new RegExp(
  Object.keys(PROFILES)
    .flatMap((id) => [`agents/${id}/`, `"${id}"`])
    .join("|"),
);

test.each(AGENT_FREE)("no line of code in %s names an agent", (folder) => {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|\/)(testing|planted-\w+)\//.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((name) =>
    readFileSync(join(ROOT, folder, name), "utf8")
      .split("\n")
      .flatMap((line, at) => (NAMES.test(line) ? [`${folder}/${name}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
