import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SessionRow } from "@/lib/queries/contract/schemas";
import { counters } from "../../base/counters";
import { getServer } from "../../server";
import { closeServer } from "../../shared-server";
import {
  newOpenClawDatabase,
  newOpencodeDatabase,
  type OwnDatabase,
  putExport,
  putLines,
  putMessage,
} from "../../testing/agent-databases";
import { shownItems } from "../../testing/items";
import { ask, routeOf } from "../../testing/routes";
import { listedSessions, servedFolder } from "../../testing/serving";

const columns = routeOf("GET", "/api/sessions/{id}/columns");
const items = routeOf("GET", "/api/sessions/{id}/items");
const session = routeOf("GET", "/api/sessions/{id}");

const { base } = servedFolder();
const opencode = join(base, "home", ".local", "share", "opencode");
const openclaw = join(base, "home", ".openclaw", "agents", "main", "agent");
const fixture = (agent: string, name: string) =>
  readFileSync(join(process.cwd(), "lib", "agents", agent, "fixtures", name), "utf8");

const files: OwnDatabase[] = [];
let pears: OwnDatabase;
let pearsId = "";

beforeAll(() => {
  for (const folder of [opencode, openclaw]) mkdirSync(folder, { recursive: true });
  pears = newOpencodeDatabase(join(opencode, "opencode.db"));
  pearsId = putExport(pears, JSON.parse(fixture("opencode", "calls-and-results.json")));
  const sub = {
    id: "ses_sub",
    title: "Weigh one",
    parentID: pearsId,
    time: { created: 1773000002500, updated: 1773000002600 },
  };
  putExport(pears, { info: sub, messages: [] });
  const claw = newOpenClawDatabase(join(openclaw, "openclaw-agent.sqlite"));
  putLines(claw, fixture("openclaw", "compactions.jsonl").trimEnd().split("\n"), { label: "Notes" });
  files.push(pears, claw);
});
afterAll(() => {
  for (const file of files) file.close();
});

async function listed(holds: (rows: readonly SessionRow[]) => void): Promise<readonly SessionRow[]> {
  return vi.waitFor(
    async () => {
      const rows = await listedSessions();
      expect(getServer().listing.indexing().done).toBe(getServer().listing.indexing().total);
      holds(rows);
      return rows;
    },
    { timeout: 25_000, interval: 200 },
  );
}
const rowOf = (rows: readonly SessionRow[], name: string) => rows.find((row) => row.name === name);

it("sessions in agents' databases are listed, opened and related like files", async () => {
  const rows = await listed((now) => {
    expect(now.filter(({ summary }) => summary !== null)).toHaveLength(3);
    // Relations are found a moment after everything is read.
    const related = rowOf(now, pearsId)?.related.map(({ kind, title }) => [kind, title]);
    expect(related).toEqual([["has-subagent", "Weigh one"]]);
  });
  const row = rowOf(rows, pearsId);
  expect(row).toMatchObject({ agent: "opencode", title: "Sort the pears", project: "/home/ada/pears", error: null });
  expect(rows.map(({ agent, title }) => [agent, title])).toContainEqual(["openclaw", "Notes"]);
  const id = row?.id ?? "";
  const answer = await (await ask(session, "/", { id })).json();
  expect([answer.summary.format, answer.summary.requests > 0]).toEqual(["opencode", true]);
  expect((await ask(columns, "/?tokens=own", { id })).status).toBe(200);
  const shown = shownItems(new Uint8Array(await (await ask(items, "/?from=0&to=9", { id })).arrayBuffer()));
  expect(shown.map(({ text }) => text)).toContain("Sort the pears by weight.");
  const sources = (await getServer().catalog.sources()).filter(({ path }) => /\.(?:db|sqlite)$/.test(path));
  expect(sources.map(({ label, sessions, store }) => [label, sessions, store]).sort()).toEqual([
    ["OpenClaw", 1, null],
    ["opencode", 2, null],
  ]);
});

it("databases are listed at once after a restart, without being read", async () => {
  const before = await listed(() => undefined);
  await closeServer();
  const { filesParsed } = counters;
  expect(await listedSessions()).toEqual(before);
  await listed(() => undefined);
  expect(counters.filesParsed).toBe(filesParsed);
});

it("after a write to a database only the changed session is read again, and no file is left behind", async () => {
  const rows = await listed(() => undefined);
  const { filesParsed } = counters;
  const count = rowOf(rows, pearsId)?.summary?.messages.user ?? 0;
  const info = { id: "msg_zz", role: "user", time: { created: 1773000700000 } };
  putMessage(pears, pearsId, { info, parts: [{ id: "prt_zz", type: "text", text: "And now the plums." }] });
  const again = await listed((now) => expect(rowOf(now, pearsId)?.summary?.messages.user).toBe(count + 1));
  expect(again).toHaveLength(3);
  expect(counters.filesParsed).toBe(filesParsed + 1);
  expect(readdirSync(opencode).sort()).toEqual(["opencode.db", "opencode.db-shm", "opencode.db-wal"]);
});

it("a session deleted from its database leaves the list", async () => {
  const id = rowOf(await listed(() => undefined), "ses_sub")?.id ?? "";
  pears.exec("delete from session where id = 'ses_sub'");
  expect((await ask(session, "/", { id })).status).toBe(404);
  await listed((now) => expect(rowOf(now, "ses_sub")).toBeUndefined());
});
