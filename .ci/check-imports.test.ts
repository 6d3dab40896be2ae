import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

// Plain JavaScript, run as it is by `npm test`.
const { checkImports } = (await import("./check-imports.mjs" as string)) as {
  checkImports: (folders: string[]) => Promise<{ modules: number; violations: string[] }>;
};

const planted: string[] = [];
afterAll(() => {
  for (const folder of planted) rmSync(folder, { recursive: true, force: true });
});

/** Writes one module below a folder of the project and gives what the check says of it. */
async function plant(folder: string, source: string) {
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync(path.join(folder, "planted-"));
  planted.push(place);
  writeFileSync(path.join(place, "module.tsx"), source);
  return checkImports([path.relative(process.cwd(), place)]);
}

test.each([
  ["lib/core", 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;', "core-without-packages"],
  ["lib/core", 'import { PROFILES } from "@/lib/agents/profiles";\nexport const all = PROFILES;', "core-is-pure"],
  ["lib/core", 'import type { AgentId } from "@/lib/agents/profiles";\nexport type Id = AgentId;', "core-is-pure"],
  [
    "components",
    'import { sessionRow } from "@/lib/api/contract";\nexport const row = sessionRow;',
    "no-schemas-in-the-browser",
  ],
  [
    "components",
    'import { READERS } from "@/lib/agents/readers";\nexport const Page = () => <p>{Object.keys(READERS)}</p>;',
    "components",
  ],
  ["lib/agents", 'import { createPool } from "@/lib/server/pool";\nexport const length = createPool;', "agents-rest"],
  [
    "lib/agents/entry-tree",
    'import { sniffPi } from "../../pi/read/sniff";\nexport const sniff = sniffPi;',
    "agents-keep-to-their-folder",
  ],
])("an import that %s must not have is found", async (folder, source, rule) => {
  const { modules, violations } = await plant(folder, source);
  expect(modules).toBeGreaterThan(0);
  expect(violations.map((violation) => violation.split(":")[0])).toContain(rule);
});

test.each([
  ["lib/core", 'import { assert } from "../base/assert";\nexport const check = assert;'],
  ["lib/agents/pi", 'import { cutAt } from "../../entry-tree/cut-point";\nexport const cut = cutAt;'],
])("a module of %s that keeps the rules passes", async (folder, source) => {
  const { violations } = await plant(folder, source);
  expect(violations).toEqual([]);
});
