import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

// Plain JavaScript, run as it is by `npm test`.
const { checkImports } = (await import("./check-imports.mjs" as string)) as {
  checkImports: (folders: string[]) => Promise<{ modules: number; violations: string[] }>;
};

/** Modules below a folder of the project, each with the rule that it breaks. */
const FORBIDDEN = [
  ["lib/core", 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;', "core-without-packages"],
  ["lib/core", 'import { PROFILES } from "@/lib/agents/registry";\nexport const all = PROFILES;', "core-is-pure"],
  ["lib/core", 'import type { AgentId } from "@/lib/agents/registry";\nexport type Id = AgentId;', "core-is-pure"],
  [
    "components",
    'import { sessionRow } from "@/lib/queries/contract/schemas";\nexport const row = sessionRow;',
    "no-schemas-in-the-browser",
  ],
  [
    "components",
    'import { READERS } from "@/lib/agents/registry";\nexport const Page = () => <p>{Object.keys(READERS)}</p>;',
    "components",
  ],
  [
    "components/session/cost",
    'import { Transcript } from "../../transcript/transcript";\nexport const Text = Transcript;',
    "session-tabs-apart",
  ],
  [
    "lib/agents",
    'import { createPool } from "@/lib/server/threads/pool";\nexport const length = createPool;',
    "agents-rest",
  ],
  [
    "lib/agents/entry-tree",
    'import { sniffPi } from "../../pi/read/reader";\nexport const sniff = sniffPi;',
    "agents-keep-to-their-folder",
  ],
] as const;

/** Modules that keep the rules. */
const ALLOWED = [
  ["lib/core", 'import { assert } from "../base/assert";\nexport const check = assert;'],
  ["lib/agents/pi", 'import { draftOfText } from "../../entry-tree/blocks";\nexport const draft = draftOfText;'],
] as const;

/** Temporary path of each module. */
const places = new Map<string, string>();
let found: Awaited<ReturnType<typeof checkImports>>;

// One check for all: reading the imports takes longer than anything else.
beforeAll(async () => {
  for (const [folder, source] of [...FORBIDDEN, ...ALLOWED]) {
    mkdirSync(folder, { recursive: true });
    const place = path.relative(process.cwd(), mkdtempSync(path.join(folder, "planted-")));
    places.set(source, place);
    writeFileSync(path.join(place, "module.tsx"), source);
  }
  found = await checkImports([...places.values()]);
});
afterAll(() => {
  for (const place of places.values()) rmSync(place, { recursive: true, force: true });
});

/** The rules that a module breaks. */
function brokenBy(source: string): readonly string[] {
  const from = `: ${places.get(source)?.replaceAll("\\", "/")}/module.tsx →`;
  return found.violations.filter((violation) => violation.includes(from)).map((one) => one.split(":")[0] ?? "");
}

test.each(FORBIDDEN)("in %s a forbidden import is found: %s", (_folder, source, rule) => {
  expect(found.modules).toBeGreaterThan(places.size);
  expect(brokenBy(source)).toContain(rule);
});

test.each(ALLOWED)("a module of %s with only allowed imports passes", (_folder, source) => {
  expect(brokenBy(source)).toEqual([]);
});
