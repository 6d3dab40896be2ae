import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROFILES } from "@/lib/agents/registry";

const AGENTS = join(import.meta.dirname, "..", "lib", "agents");

/** Folders inside an agent's folder, as lib/agents/README.md names them. */
const ROOMS = ["base", "fixtures", "messages", "policy", "read", "report", "sent", "summary"];

/** Maximum number of files in a folder. */
const MAX_ENTRIES = 24;

test.each(Object.keys(PROFILES))(
  "the folder of %s has few files on its ground floor, and rooms of known names",
  (agent) => {
    const entries = readdirSync(join(AGENTS, agent), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.filter((name) => !ROOMS.includes(name))).toEqual([]);
    expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
  },
);
