import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { currentSettingsAnswer } from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "../testing/files";
import { ask, routeOf } from "../testing/routes";
import { idOf, servedFolder } from "../testing/serving";

const route = routeOf("GET", "/api/sessions/{id}/settings");
const { base, mounted } = servedFolder();
const LINES = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n");

beforeAll(() => {
  const own = join(base, "home", ".claude", "projects", "shop", "own.jsonl");
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, LINES);
  put(mounted, "elsewhere.jsonl", LINES);
  const settings = '{\n"env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60" } }';
  writeFileSync(join(base, "home", ".claude", "settings.json"), settings);
});

/** The current settings that the API sends for a session's page. */
async function settingsOf(name: string, search = "") {
  const answer = await ask(route, `/${search}`, { id: await idOf(name) });
  return currentSettingsAnswer.parse(await answer.json()).settings;
}

it("a session in its agent's folder gets the settings of the user's file, with their lines", async () => {
  const override = { key: "pctOverride", value: 60, file: "~/.claude/settings.json", line: 2 };
  expect(await settingsOf("own.jsonl")).toEqual([override]);
  expect(await settingsOf("own.jsonl", "?policy=claude-code&preset=2026-11&window=200000")).toEqual([override]);
});

it("no settings are shown for another agent's policy, or for a session outside the agent's folder", async () => {
  expect(await settingsOf("own.jsonl", "?policy=codex")).toEqual([]);
  expect(await settingsOf("own.jsonl", "?policy=custom")).toEqual([]);
  expect(await settingsOf("elsewhere.jsonl")).toEqual([]);
  expect((await ask(route, "/?preset=none", { id: await idOf("own.jsonl") })).status).toBe(400);
});
