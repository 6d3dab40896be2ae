import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "@/lib/agents/shared/json";
import { cost as costAnswer, sessionRow, sessionSummary } from "@/lib/queries/contract/schemas";
import { newOpencodeDatabase, putExport } from "@/lib/server/testing/agent-databases";
import { put } from "@/lib/server/testing/files";
import { commandLine, jsonLines } from "../testing/program";

const { run, folder } = commandLine();

/** `bill.inherited` of a session, as requests and their sources, on each surface. */
async function inheritedOf(place: string, session: string, name: string) {
  const env = { HOME: join(place, "home"), CONTEXT_REPLAY_DATA: join(place, "data"), TZ: "UTC" };
  const ask = async (args: readonly string[]) => (await run([...args, "--json"], "", env)).out;
  const rows = jsonLines(await ask(["sessions", place])).map((row) => sessionRow.parse(row));
  const bills = [
    costAnswer.parse(JSON.parse(await ask(["cost", session]))).bill,
    sessionSummary.parse(JSON.parse(await ask(["inspect", session]))).bill,
    rows.find((row) => row.name === name)?.bill,
  ];
  const { out } = await run(["cost", session], "", env);
  return { bills: bills.map((bill) => [bill?.inherited?.requests, bill?.inherited?.from]), out };
}

/** A prompt and a response of Claude Code. */
function exchange(id: string, second: number, agentId?: string): readonly object[] {
  const common = {
    isSidechain: agentId !== undefined,
    sessionId: "main",
    version: "2.1.44",
    cwd: "/home/ada",
    agentId,
  };
  const time = (at: number) => new Date(Date.UTC(2026, 8, 10, 9, 0, at)).toISOString();
  const usage = { input_tokens: second, cache_read_input_tokens: 0, cache_creation_input_tokens: 9, output_tokens: 4 };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "claude-sonnet-4-5-20250929" };
  const answer = { ...common, type: "assistant", uuid: `${id}-a`, parentUuid: `${id}-u`, requestId: `req_${id}` };
  return [
    {
      ...{ ...common, type: "user", uuid: `${id}-u`, parentUuid: null, timestamp: time(second) },
      message: { role: "user", content: `Say ${id}.` },
    },
    {
      ...{ ...answer, timestamp: time(second + 2) },
      message: { ...message, stop_reason: "end_turn", content: [{ type: "text", text: "Done." }], usage },
    },
  ];
}

it("a side question in another file names the session that its inherited requests come from", async () => {
  const place = join(folder, "btw");
  const below = join(place, "-p", "main", "subagents");
  mkdirSync(below, { recursive: true });
  const text = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
  put(join(place, "-p"), "main.jsonl", text([...exchange("one", 10), ...exchange("two", 20)]));
  const name = "agent-aside_question-c5e5.jsonl";
  const agent = "aside_question-c5e5";
  const records = [...exchange("one", 10, agent), ...exchange("two", 20, agent), ...exchange("aside", 30, agent)];
  const file = put(below, name, text(records));
  const { bills, out } = await inheritedOf(place, file, name);
  expect(bills).toEqual([
    [2, ["main"]],
    [2, ["main"]],
    [2, ["main"]],
  ]);
  expect(out).toContain("3 requests (2 of them inherited from main)");
  const { out: report } = await run(["export", file, "--to", "html"]);
  expect(report).toContain("2 inherited");
  expect(report).toContain("inherited requests, not in this sum: $");
  expect(report).toMatch(/The costs in this table include inherited requests \(\d+\)/);
});

it("a fork in opencode's database names the sessions that made its inherited requests", async () => {
  const place = join(folder, "opencode");
  mkdirSync(place);
  const database = newOpencodeDatabase(join(place, "opencode.db"));
  const session = (id: string, created: number, times: readonly number[]): JsonObject => ({
    info: { id, title: id, version: "1.18.15", directory: "/home/ada", time: { created, updated: times.at(-1) } },
    messages: times.flatMap((at) =>
      ["user", "assistant"].map((role) => {
        const tokens = { input: at, output: 1, cache: { read: 0, write: 0 } };
        const answer = { modelID: "gpt-5.3-codex", providerID: "openai", tokens };
        const message = `msg_${id}_${at}_${role}`;
        return {
          info: { id: message, sessionID: id, role, time: { created: at }, ...(role === "user" ? {} : answer) },
          parts: [{ id: `prt_${message}`, messageID: message, sessionID: id, type: "text", text: `Go on ${at}.` }],
        };
      }),
    ),
  });
  putExport(database, session("ses_first", 1000, [2000, 3000]));
  putExport(database, session("ses_fork", 4000, [2000, 3000, 5000]));
  putExport(database, session("ses_again", 6000, [2000, 3000, 5000, 7000]));
  putExport(database, session("ses_other", 1500, [2001, 3001]));
  database.close();
  const at = (id: string) => inheritedOf(place, join(place, "opencode.db", id), id);
  const fork = await at("ses_fork");
  expect(fork.bills).toEqual([
    [2, ["ses_first"]],
    [2, ["ses_first"]],
    [2, ["ses_first"]],
  ]);
  expect(fork.out).toContain("3 requests (2 of them inherited from ses_first)");
  expect((await at("ses_again")).bills[0]).toEqual([3, ["ses_first", "ses_fork"]]);
  expect((await at("ses_other")).bills[0]).toEqual([undefined, undefined]);
});

it("a fork without requests of its own counts none of the compactions that it inherited", async () => {
  const place = join(folder, "only-inherited");
  mkdirSync(place);
  const [header = "", ...entries] = readFileSync("lib/agents/pi/fixtures/compactions.jsonl", "utf8").split("\n");
  const later = { ...JSON.parse(header), timestamp: "2099-01-01T00:00:00.000Z", parentSession: "/home/ada/s1.jsonl" };
  put(place, "fork.jsonl", [JSON.stringify(later), ...entries].join("\n"));
  const env = { HOME: join(place, "home"), CONTEXT_REPLAY_DATA: join(place, "data"), TZ: "UTC" };
  const { out } = await run(["stats", place, "--json"], "", env);
  expect(JSON.parse(out).total ?? JSON.parse(out)).toMatchObject({ requests: 0, compactions: 0 });
});
