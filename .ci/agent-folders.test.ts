import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROFILES } from "@/lib/agents/registry";

const AGENTS = join(import.meta.dirname, "..", "lib", "agents");

/** Folders inside an agent's folder, as lib/agents/README.md names them. */
const SUBFOLDERS = ["base", "fixtures", "messages", "policy", "read", "report", "sent", "summary"];

/** Maximum number of files in a folder. */
const MAX_ENTRIES = 24;

test.each(Object.keys(PROFILES))("the folder %s has few files at its top level, and only known subfolders", (agent) => {
  const entries = readdirSync(join(AGENTS, agent), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.filter((name) => !SUBFOLDERS.includes(name))).toEqual([]);
  expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
});
