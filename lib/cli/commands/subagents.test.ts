import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { objectOf } from "@/lib/agents/shared/json";
import { cost as costAnswer, sessionFacets, sessionRow } from "@/lib/queries/contract/schemas";
import { newOpencodeDatabase, putExport } from "@/lib/server/testing/agent-databases";
import { commandLine, jsonLines } from "../testing/program";

const { run, folder } = commandLine();
let places = 0;

const fixture = (path: string) => readFileSync(join(process.cwd(), "lib", "agents", path), "utf8");
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const id = (number: number) => `01970000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** A Codex rollout of one request. */
function rollout(number: number, at: string, parent?: number, input = 1000 * number): string {
  const usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: 10, total_tokens: input + 10 };
  const spawn = { subagent: { thread_spawn: { parent_thread_id: id(parent ?? 0), depth: 1 } } };
  const meta = {
    id: id(number),
    cwd: "/home/ada/shop",
    cli_version: "0.153.3",
    source: parent === undefined ? "cli" : spawn,
  };
  const later = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
  const message = (role: string, type: string) => ({
    type: "message",
    role,
    content: [{ type, text: `Text ${number}.` }],
  });
  return lines([
    { timestamp: at, type: "session_meta", payload: meta },
    { timestamp: at, type: "turn_context", payload: { model: "gpt-5.2-codex", cwd: "/home/ada/shop" } },
    { timestamp: later(5), type: "response_item", payload: message("user", "input_text") },
    { timestamp: later(9), type: "response_item", payload: message("assistant", "output_text") },
    {
      ...{ timestamp: later(10), type: "event_msg" },
      payload: { type: "token_count", info: { total_token_usage: usage, last_token_usage: usage } },
    },
  ]);
}

/** A prompt and a response of Claude Code. */
function claude(session: string, name: string, agentId?: string): string {
  const common = {
    isSidechain: agentId !== undefined,
    sessionId: session,
    version: "2.0.9",
    cwd: "/home/ada",
    agentId,
  };
  const usage = { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 900, output_tokens: 40 };
  const user = { ...common, type: "user", uuid: `${name}-u`, parentUuid: null, timestamp: "2026-09-10T09:00:00.000Z" };
  const answer = { ...common, type: "assistant", uuid: `${name}-a`, parentUuid: `${name}-u`, requestId: `req_${name}` };
  const model = "claude-sonnet-4-5-20250929";
  const content = [{ type: "text", text: "Done." }];
  return lines([
    { ...user, message: { role: "user", content: `Say ${name}.` } },
    {
      ...{ ...answer, timestamp: "2026-09-10T09:00:05.000Z" },
      message: {
        id: `msg_${name}`,
        type: "message",
        role: "assistant",
        model,
        stop_reason: "end_turn",
        content,
        usage,
      },
    },
  ]);
}

const opencodeParent = fixture("opencode/fixtures/calls-and-results.json");
const { id: opencodeId } = objectOf(objectOf(JSON.parse(opencodeParent)).info);
const opencodeChild = objectOf(
  JSON.parse(fixture("opencode/fixtures/chinese.json").replaceAll(/"((?:msg|prt)_)/g, '"$1child_')),
);
const child = { ...opencodeChild, info: { ...objectOf(opencodeChild.info), id: "ses_child", parentID: opencodeId } };

const GEMINI = "3f1c2b7a-0001-4c00-8000-000000000001";
const QWEN = "5f0c2a10-1111-4111-8111-00000000000c";
const CLAW = "7c1b0a52-3f04-4d0e-9a53-2b8f6f4f0001";
const CLAUDE = "7b1e3c5d-0000-4000-8000-000000000001";

interface Layout {
  readonly name: string;
  /** The first one is the session. */
  readonly files: Readonly<Record<string, string>>;
  /** Number of subagents' files. */
  readonly subagents: number;
}

const LAYOUTS: readonly Layout[] = [
  {
    name: "Codex, in folders of days, with a subagent's subagent and an archived one",
    files: {
      [`sessions/2026/06/20/rollout-2026-06-20T08-00-00-${id(1)}.jsonl`]: rollout(1, "2026-06-20T08:00:00.000Z"),
      [`sessions/2026/06/21/rollout-2026-06-21T08-00-00-${id(2)}.jsonl`]: rollout(2, "2026-06-20T08:01:00.000Z", 1),
      [`sessions/2026/06/20/rollout-2026-06-20T08-02-00-${id(3)}.jsonl`]: rollout(3, "2026-06-20T08:02:00.000Z", 2),
      [`archived_sessions/rollout-2026-06-20T08-03-00-${id(4)}.jsonl`]: rollout(4, "2026-06-20T08:03:00.000Z", 1),
      [`sessions/2026/06/20/rollout-2026-06-20T09-00-00-${id(5)}.jsonl`]: rollout(5, "2026-06-20T09:00:00.000Z"),
      [`sessions/2026/06/20/rollout-2026-06-20T09-01-00-${id(6)}.jsonl`]: rollout(6, "2026-06-20T09:01:00.000Z", 5),
    },
    subagents: 3,
  },
  {
    name: "Codex, copied into one folder under other names",
    files: {
      "main.jsonl": rollout(1, "2026-06-20T08:00:00.000Z"),
      "helper.jsonl": rollout(2, "2026-06-20T08:01:00.000Z", 1),
    },
    subagents: 1,
  },
  {
    name: "Claude Code, beside the session and in its folder",
    files: {
      [`-p/${CLAUDE}.jsonl`]: claude(CLAUDE, "main"),
      "-p/agent-a1.jsonl": claude(CLAUDE, "one", "a1"),
      [`-p/${CLAUDE}/subagents/agent-a2.jsonl`]: claude(CLAUDE, "two", "a2"),
      "-p/agent-a3.jsonl": claude("another", "three", "a3"),
    },
    subagents: 2,
  },
  {
    name: "Gemini CLI",
    files: {
      "tmp/p/chats/session-2026-03-02T09-00-3f1c2b7a.jsonl": fixture("gemini-cli/fixtures/chinese.jsonl"),
      [`tmp/p/chats/${GEMINI}/sub.jsonl`]: fixture("gemini-cli/fixtures/media-and-failures.jsonl"),
    },
    subagents: 1,
  },
  {
    name: "Qwen Code",
    files: {
      [`projects/-p/chats/${QWEN}.jsonl`]: fixture("qwen-code/fixtures/usage.jsonl").replace(
        /5f0c2a10-1111-4111-8111-\d{12}/g,
        QWEN,
      ),
      [`projects/-p/subagents/${QWEN}/agent-explore-1.jsonl`]: fixture("qwen-code/fixtures/subagent-file.jsonl"),
    },
    subagents: 1,
  },
  {
    name: "DeepSeek Harness",
    files: {
      "--p--/d5a1/session.jsonl": fixture("dsh/fixtures/calls-and-usage.jsonl"),
      "--p--/d5a6/session.jsonl": fixture("dsh/fixtures/subagent-chinese.jsonl"),
    },
    subagents: 1,
  },
  {
    name: "OpenClaw, whose sessions.json names the parent",
    files: {
      [`agents/main/sessions/${CLAW}.jsonl`]: fixture("openclaw/fixtures/cache-ttl.jsonl"),
      "agents/main/sessions/helper.jsonl": fixture("openclaw/fixtures/chinese.jsonl"),
      "agents/main/sessions/sessions.json": JSON.stringify({
        "agent:main:main": { sessionId: CLAW, updatedAt: 1 },
        "agent:main:subagent:1": { sessionId: "helper", updatedAt: 1, spawnedBy: "agent:main:main" },
      }),
    },
    subagents: 1,
  },
  {
    name: "exports of opencode",
    files: { "main.json": opencodeParent, "helper.json": JSON.stringify(child) },
    subagents: 1,
  },
];

/** The answers of all surfaces about the sessions in a folder. */
async function answersOf(place: string, session: string) {
  const env = { HOME: join(place, "home"), CONTEXT_REPLAY_DATA: join(place, "data"), TZ: "UTC" };
  const ask = async (args: readonly string[]) => (await run([...args, "--json"], "", env)).out;
  const rows = jsonLines(await ask(["sessions", place])).map((row) => sessionRow.parse(row));
  const { bill, costUsd } = costAnswer.parse(JSON.parse(await ask(["cost", session])));
  const { total } = sessionFacets.parse(JSON.parse(await ask(["stats", place])));
  return { rows, bill, costUsd, total };
}

describe("requests of a session and its subagents", () => {
  it.each(LAYOUTS)("are equal in the list, `cost` and `stats`: $name", async ({ files, subagents }) => {
    const place = join(folder, `place-${places++}`);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), text);
    }
    const [session = ""] = Object.keys(files);
    const { rows, bill, total } = await answersOf(place, join(place, session));
    const main = rows.find((one) => one.bill?.subagents?.files === subagents);
    expect(bill.subagents?.files).toBe(subagents);
    const { each = [], ...joined } = bill.subagents ?? {};
    expect(main?.bill?.subagents).toEqual(joined);
    // Those with files of their own, each in one line; the others are in the session's own file.
    expect(each).toHaveLength(subagents);
    const sums = each.reduce(
      (sum, { requests, usd }) => ({ requests: sum.requests + requests, usd: sum.usd + (usd ?? 0) }),
      { requests: 0, usd: 0 },
    );
    expect(sums.requests).toBeLessThanOrEqual(bill.subagents?.requests ?? 0);
    expect(sums.usd).toBeLessThanOrEqual((bill.subagents?.costUsd.total ?? 0) + 1e-9);
    expect(main?.bill?.own).toEqual(bill.own);
    const own = rows.map((one) => one.bill?.own?.requests ?? 0).reduce((sum, one) => sum + one, 0);
    expect(total.requests).toBe(own);
  });

  it("are equal for Kimi CLI, whose session file contains the events of subagents", async () => {
    const place = join(folder, `place-${places++}`);
    const session = fixture("kimi-cli/fixtures/subagents.jsonl");
    mkdirSync(join(place, "s1", "subagents", "a1b2"), { recursive: true });
    writeFileSync(join(place, "s1", "wire.jsonl"), session);
    writeFileSync(join(place, "s1", "subagents", "a1b2", "wire.jsonl"), fixture("kimi-cli/fixtures/turns.jsonl"));
    const { rows, bill, total } = await answersOf(place, join(place, "s1", "wire.jsonl"));
    expect(rows.map((row) => row.bill?.subagents)).toEqual([{ ...bill.subagents, files: 0 }]);
    expect(total.requests).toBe((bill.own?.requests ?? 0) + (bill.subagents?.requests ?? 0));
  });

  it("are equal for a database of opencode", async () => {
    const place = join(folder, `place-${places++}`);
    mkdirSync(place);
    const database = newOpencodeDatabase(join(place, "opencode.db"));
    putExport(database, objectOf(JSON.parse(opencodeParent)));
    putExport(database, child);
    const { rows, bill } = await answersOf(place, join(place, "opencode.db", String(opencodeId)));
    database.close();
    expect(bill.subagents?.files).toBe(1);
    const { each = [], ...joined } = bill.subagents ?? {};
    expect(rows.find(({ name }) => name === opencodeId)?.bill?.subagents).toEqual(joined);
    expect(each.map(({ requests, usd }) => [requests, usd])).toEqual([
      [bill.subagents?.requests, bill.subagents?.costUsd.total],
    ]);
  });
});
