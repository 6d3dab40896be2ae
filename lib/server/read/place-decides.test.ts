import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../testing/files";
import { LocalRunner } from "../threads/local-runner";

const root = temporaryFolder();
const runner = new LocalRunner();
/** Entries that pi and OpenClaw write alike. */
const ALIKE = readFileSync(join("lib", "agents", "pi", "fixtures", "parallel-calls.jsonl"), "utf8");
let homes = 0;

async function formatOf(session: string, beside: Readonly<Record<string, string>> = {}): Promise<string> {
  const home = join(root, `home${homes++}`);
  for (const [name, text] of Object.entries({ ...beside, [session]: ALIKE })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return (await runner.ingest({ path: join(home, session) })).summary.format;
}

it.each([
  ["in OpenClaw's folders", "agents/main/sessions/s1.jsonl", {}],
  ["that OpenClaw reset", "s1.jsonl.reset.2026-02-03T08-00-00.000Z", {}],
  ["that OpenClaw's index lists", "s1.jsonl", { "sessions.json": '{"agent:main:main":{"sessionId":"s1"}}' }],
  ["below OpenClaw's configuration", "copy/sessions/s1.jsonl", { "openclaw.json": "{}" }],
])("a file %s is read as OpenClaw's although its records could be pi's", async (_, session, beside) => {
  expect(await formatOf(session, beside)).toBe("openclaw");
});

it.each([
  ["alone", "s1.jsonl", {}],
  ["in pi's folders", ".pi/agent/sessions/--home-ada--/2026-02-03T08-00-00-000Z_s1.jsonl", {}],
  ["beside another index", "s1.jsonl", { "sessions.json": '{"agent:main:main":{"sessionId":"s2"}}' }],
  ["beside a damaged index", "s1.jsonl", { "sessions.json": "{" }],
])("a file %s is read as pi's", async (_, session, beside) => {
  expect(await formatOf(session, beside)).toBe("pi");
});

it("a selected format is used wherever the file is", async () => {
  const path = join(root, "agents", "main", "sessions", "chosen.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ALIKE);
  expect((await runner.ingest({ path, format: "pi" })).summary.format).toBe("pi");
});
