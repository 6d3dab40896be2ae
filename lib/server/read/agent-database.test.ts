import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { isObject, type JsonObject, objectOf, objectsOf } from "@/lib/agents/shared/json";
import { OpenedSession } from "../sessions/opened-session";
import {
  newCrushDatabase,
  newGooseDatabase,
  newHermesDatabase,
  newOpenClawDatabase,
  newOpencodeDatabase,
  putCurrent,
  putExport,
  putLines,
  putRow,
  upgradeOpencode,
} from "../testing/agent-databases";
import { fixtureFiles, put, temporaryFolder } from "../testing/files";
import { shownItems } from "../testing/items";
import { LocalRunner } from "../threads/local-runner";
import { withAgentDatabase } from "./agent-database";
import { storedAt, storedPath } from "./stored-path";

const base = temporaryFolder();
const folder = () => mkdtempSync(join(base, "data-"));
const runner = new LocalRunner();

/** Everything of a session that is independent of its source: an export is one record, so all of it is line 1. */
async function readAs(path: string, format: string) {
  const answer = await runner.ingest({ path, name: "one", format });
  const { records: _, ...read } = answer.summary;
  const summary = JSON.parse(
    JSON.stringify(read, (key, value) => (key === "line" || key === "summaryLine" ? undefined : value)),
  );
  const session = new OpenedSession(path, answer, runner);
  const items = shownItems(await session.items({ from: 0, to: session.columns.length, maxChars: 1e6 }));
  return { summary, items, tokens: [...(await session.tokens("o200k"))] };
}

describe("a session in an agent's database", () => {
  const exports = fixtureFiles(/\.json$/)
    .filter((path) => path.includes("opencode"))
    .flatMap((path) => {
      const value: unknown = JSON.parse(readFileSync(path, "utf8"));
      // In a database every row has its own id.
      return isObject(value) && !/masked|odd|retry|two|out-of-order/.test(path) ? [{ path, value }] : [];
    });

  it.each(exports)("of opencode equals its export: $path", async ({ path, value }) => {
    const database = join(folder(), "opencode.db");
    const file = newOpencodeDatabase(database);
    const id = putExport(file, value);
    const stored = storedPath({ database, id });
    expect(await readAs(stored, "opencode")).toEqual(await readAs(path, "opencode"));
    file.close();
    expect((await runner.ingest({ path: stored })).summary.format).toBe("opencode");
  });

  it.each(fixtureFiles().filter((path) => path.includes("openclaw") && !/without-header|version-1|glued/.test(path)))(
    "of OpenClaw equals its file: %s",
    async (path) => {
      const database = join(folder(), "openclaw-agent.sqlite");
      const file = newOpenClawDatabase(database);
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      const stored = storedPath({ database, id: putLines(file, lines) });
      expect(await readAs(stored, "openclaw")).toEqual(await readAs(path, "openclaw"));
      file.close();
      expect((await runner.ingest({ path: stored })).summary.format).toBe("openclaw");
    },
  );

  it("is listed with the values of its rows, and leaves the list when they are deleted", async () => {
    const database = join(folder(), "opencode.db");
    const file = newOpencodeDatabase(database);
    const info = {
      id: "ses_1/../x",
      title: "One",
      directory: "/home/ada",
      parentID: "ses_0",
      time: { created: 5, updated: 6 },
    };
    const message = {
      info: { id: "msg_1", role: "user", time: { created: 7 } },
      parts: [{ id: "prt_1", type: "text", text: "Hi" }],
    };
    putExport(file, { info, messages: [message] });
    const [session] = await runner.database({ path: database });
    expect(session).toEqual({
      id: "ses_1/../x",
      title: "One",
      changedAt: 7,
      bytes: JSON.stringify({ role: "user", time: { created: 7 } }).length + 27,
      placed: { sessionId: "ses_1/../x", startedAt: 5, project: "/home/ada", parentSession: "ses_0" },
    });
    const path = storedPath({ database, id: session?.id ?? "" });
    expect(storedAt(path)).toEqual({ database, id: "ses_1/../x" });
    expect((await runner.ingest({ path })).version).toMatchObject({ bytes: session?.bytes, mtimeMs: 7 });
    file.exec("delete from session");
    expect(await runner.database({ path: database })).toEqual([]);
    await expect(runner.ingest({ path })).rejects.toMatchObject({ code: "not-found" });
    file.close();
  });

  it("is read despite a damaged row, which counts as a damaged record", async () => {
    const database = join(folder(), "opencode.db");
    const file = newOpencodeDatabase(database);
    const info = { id: "ses_1", title: "One", time: { created: 5, updated: 6 } };
    const message = { info: { id: "msg_1", role: "user" }, parts: [{ id: "prt_1", type: "text", text: "Hi" }] };
    putExport(file, { info, messages: [message] });
    file.exec("insert into part values ('prt_2', 'msg_1', 'ses_1', 1, 1, 'not JSON')");
    const { summary } = await runner.ingest({ path: storedPath({ database, id: "ses_1" }) });
    expect([summary.records.damagedTotal, summary.messages.user]).toEqual([1, 1]);
    file.close();
  });
});

describe("a database of Crush", () => {
  const records = (name: string): readonly JsonObject[] =>
    readFileSync(join(process.cwd(), "lib", "agents", "crush", "fixtures", name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const put = (names: readonly string[], change: (record: JsonObject) => JsonObject = (record) => record) => {
    const database = join(folder(), "crush.db");
    const file = newCrushDatabase(database);
    for (const { crush, ...record } of names.flatMap(records))
      putRow(file, `${String(crush)}s`, change({ updated_at: 1, ...record }));
    return { database, file };
  };
  const linesOf = (database: string, id: string) =>
    withAgentDatabase(database, ({ format, query, rules }) => [format, [...rules.lines(query, id)].map(parsed)]);
  const parsed = (line: string): unknown => JSON.parse(line);

  it.each(["calls-and-results.jsonl", "compacted.jsonl", "attachments-and-shell.jsonl", "chinese.jsonl"])(
    "yields the records of %s",
    async (name) => {
      const { database, file } = put([name]);
      file.close();
      const expected = records(name);
      expect(await linesOf(database, String(expected[0]?.id))).toEqual(["crush", expected]);
    },
  );

  it("marks the last summary if an older release has no column for the mark", async () => {
    const { database, file } = put(["summary-of-2025.jsonl"], ({ is_summary_message: _, ...record }) => record);
    file.exec("alter table messages drop column is_summary_message; update sessions set summary_message_id = 'm-3'");
    file.close();
    const [, lines] = await linesOf(database, "0b6c9e52-1111-4aaa-8bbb-000000000001");
    const marked = objectsOf(lines).filter((line) => line.is_summary_message === true);
    expect(marked.map(({ id }) => id)).toEqual(["m-3"]);
  });

  it("lists sessions with messages, with times in milliseconds", async () => {
    const { database, file } = put(["subagent.jsonl"]);
    putRow(file, "sessions", { id: "title-s", title: "", created_at: 5, updated_at: 5 });
    file.close();
    expect(await runner.database({ path: database })).toMatchObject([
      {
        id: "m-2$$c-1",
        title: "Find the scales",
        changedAt: 1_772_352_060_000,
        placed: { startedAt: 1_772_352_000_000, parentSession: "0b6c9e52-1111-4aaa-8bbb-000000000001" },
      },
    ]);
  });
});

describe("a database of Hermes Agent", () => {
  const fixture = (name: string) => join(process.cwd(), "lib", "agents", "hermes", "fixtures", name);
  const put = (name: string) => {
    const database = join(folder(), "state.db");
    const file = newHermesDatabase(database);
    let session = "";
    for (const line of readFileSync(fixture(name), "utf8").trimEnd().split("\n")) {
      const { rewound, ...record }: JsonObject = JSON.parse(line);
      if (record.role === "session_meta") {
        const { role: _, ...row } = record;
        session = String(row.id);
        putRow(file, "sessions", row);
      } else {
        const content = Array.isArray(record.content) ? `\0json:${JSON.stringify(record.content)}` : record.content;
        putRow(file, "messages", { ...record, content, session_id: session, active: rewound !== true });
      }
    }
    file.close();
    return { database, session };
  };

  it.each([
    "calls-and-results.jsonl",
    "compacted-in-place.jsonl",
    "continued-in-another-session.jsonl",
    "rewound.jsonl",
  ])("yields the records of %s", async (name) => {
    const { database, session } = put(name);
    expect((await runner.database({ path: database })).map(({ id }) => id)).toEqual([session]);
    expect(await readAs(storedPath({ database, id: session }), "hermes")).toEqual(
      await readAs(fixture(name), "hermes"),
    );
  });

  it("yields the images of a message with several parts", async () => {
    const { database, session } = put("images-and-chinese.jsonl");
    const { items } = await readAs(storedPath({ database, id: session }), "hermes");
    expect(items.map(({ kind }) => kind).slice(1)).toEqual([
      "text",
      "image",
      "thinking",
      "text",
      "tool_result",
      "image",
    ]);
  });
});

describe("a database of Goose", () => {
  const fixture = (name: string) => join(process.cwd(), "lib", "agents", "goose", "fixtures", name);
  const put = (name: string) => {
    const database = join(folder(), "sessions.db");
    const file = newGooseDatabase(database);
    let session = "";
    for (const line of readFileSync(fixture(name), "utf8").trimEnd().split("\n")) {
      const { goose, created, ...record }: JsonObject = JSON.parse(line);
      if (goose === "session") {
        session = String(record.id);
        putRow(file, "sessions", record);
      } else if (goose === "message") {
        const { id, role, content, metadata } = record;
        const stored = { content_json: content, metadata_json: metadata ?? null };
        putRow(file, "messages", {
          message_id: id,
          session_id: session,
          role,
          created_timestamp: created,
          ...stored,
        });
      } else {
        const counts = Object.entries(objectOf(record.usage)).map(([key, value]) => [
          key.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`),
          value,
        ]);
        putRow(file, "usage_ledger", {
          session_id: session,
          created_timestamp: created,
          model: record.model,
          is_compaction: 1,
          ...Object.fromEntries(counts),
        });
      }
    }
    return { database, session, file };
  };

  it.each(["compactions.jsonl", "summarised-calls.jsonl", "usage-and-parallel-calls.jsonl", "chinese.jsonl"])(
    "yields the records of %s",
    async (name) => {
      const { database, session, file } = put(name);
      file.close();
      expect((await runner.database({ path: database })).map(({ id }) => id)).toEqual([session]);
      expect(await readAs(storedPath({ database, id: session }), "goose")).toEqual(
        await readAs(fixture(name), "goose"),
      );
    },
  );

  it("lists sessions with folder, times and the session that started them", async () => {
    const { database, file } = put("subagent.jsonl");
    file.exec("insert into sessions (id, name, working_dir) values ('empty', 'New session 2', '/home/ada')");
    file.close();
    expect(await runner.database({ path: database })).toMatchObject([
      {
        id: "20260301_2",
        title: "Find the scales",
        changedAt: 1_772_352_300_000,
        placed: { project: "/home/ada/shop", startedAt: 1_772_352_000_000, parentSession: "20260301_1" },
      },
    ]);
  });

  it("is read without the columns and the table that later releases added", async () => {
    const { database, session, file } = put("chinese.jsonl");
    file.exec(
      "drop table usage_ledger; alter table messages drop column metadata_json; alter table sessions drop column parent_session_id",
    );
    file.close();
    const { summary } = await runner.ingest({ path: storedPath({ database, id: session }) });
    expect(summary).toMatchObject({ format: "goose", messages: { user: 1, assistant: 2 } });
  });
});

it("invalid UTF-8 in an agent's database is read as U+FFFD", async () => {
  const database = join(folder(), "opencode.db");
  const file = newOpencodeDatabase(database);
  const info = { id: "ses_1", title: "One", time: { created: 5, updated: 6 } };
  const message = { info: { id: "msg_1", role: "user" }, parts: [{ id: "prt_1", type: "text", text: "Hi" }] };
  putExport(file, { info, messages: [message] });
  file.exec("update session set title = cast(x'4fff' as text)");
  file.exec("update part set data = cast(replace(data, 'Hi', cast(x'48ff' as text)) as text)");
  file.close();
  expect(await runner.database({ path: database })).toMatchObject([{ title: "O\ufffd" }]);
  const { items } = await readAs(storedPath({ database, id: "ses_1" }), "opencode");
  expect(items.map(({ text }) => text)).toContain("H\ufffd");
});

describe("an unreadable agent database", () => {
  it.each([
    ["is not a database", () => put(folder(), "opencode.db", "not a database ".repeat(100))],
    ["is empty", () => put(folder(), "opencode.db", "")],
    ["has other tables", () => withTables("create table session (id)")],
    ["has views and made-up tables in their place", () => withTables("create view session as select 1 as id")],
  ])("is refused in one sentence if it %s", async (_, make) => {
    await expect(runner.database({ path: make() })).rejects.toMatchObject({ name: "InputError", code: "unreadable" });
  });

  function withTables(sql: string): string {
    const path = join(folder(), "opencode.db");
    const file = new Database(path);
    file.exec(`${sql}; create table message (id); create table part (id); create table project (id)`);
    file.close();
    return path;
  }
});

describe("a database of opencode 2", () => {
  const answer = (write: number, read: number, content: readonly unknown[]) => ({
    model: { id: "claude-sonnet-4-5", providerID: "anthropic" },
    content,
    tokens: { input: 3, output: 100, reasoning: 0, cache: { read, write } },
    finish: "stop",
  });
  const message = (id: string, role: string, at: number, text: string, more = {}) => ({
    info: { id, role, time: { created: at }, ...more },
    parts: [{ id: `prt_${id}`, type: "text", text }],
  });

  function upgraded() {
    const database = join(folder(), "opencode.db");
    const file = newOpencodeDatabase(database);
    const tokens = { input: 3, output: 100, reasoning: 0, cache: { read: 0, write: 30_000 } };
    const info = { id: "ses_old", title: "Before", time: { created: 10, updated: 20 } };
    const old = [
      message("msg_1", "user", 10, "First."),
      message("msg_2", "assistant", 20, "one", { modelID: "m", tokens }),
    ];
    putExport(file, { info, messages: old });
    upgradeOpencode(file);
    return { database, file };
  }

  it("lists every session once, and also reads sessions that are new or only imported", async () => {
    const { database, file } = upgraded();
    putCurrent(file, "ses_old", "Before", []);
    // The upgrade may rewrite a session's row; the messages are still the session's own.
    file.exec("update session_v2 set time_created = 90");
    putCurrent(file, "ses_new", "After", [
      ["user", 100, { text: "New one." }],
      ["assistant", 110, answer(31_000, 0, [{ type: "text", text: "one" }])],
      ["idle", 111, { outcome: "succeeded" }],
      ["user", 120, { text: "Next." }],
      ["assistant", 130, answer(500, 31_000, [{ type: "text", text: "two" }])],
    ]);
    file.close();
    const listed = await runner.database({ path: database });
    expect(listed.map(({ id, title }) => [id, title]).sort()).toEqual([
      ["ses_new", "After"],
      ["ses_old", "Before"],
    ]);
    const read = await readAs(storedPath({ database, id: "ses_new" }), "opencode");
    expect(read.summary).toMatchObject({
      requests: 2,
      usage: { input: 6, cacheRead: 31_000, cacheWrite: 31_500, output: 200 },
      problems: [],
    });
    const old = await readAs(storedPath({ database, id: "ses_old" }), "opencode");
    const bill = { own: { requests: 1 }, inherited: null };
    expect(old.summary).toMatchObject({ requests: 1, usage: { input: 3, cacheWrite: 30_000 }, bill });
    await expect(runner.ingest({ path: database })).rejects.toThrow(
      "opencode.db is a database of 2 sessions; name one as opencode.db/ID: ses_new (After), ses_old (Before).",
    );
  });

  it.each([
    ["whose messages were copied", 10],
    ["that continued after the copy", 100],
  ])("counts no message of a session twice: one %s", async (_, at) => {
    const { database, file } = upgraded();
    putCurrent(file, "ses_old", "Before", [
      ["user", at, { text: "First." }],
      ["assistant", at + 10, answer(30_000, 0, [{ type: "text", text: "one" }])],
    ]);
    file.close();
    const { summary } = await readAs(storedPath({ database, id: "ses_old" }), "opencode");
    expect(summary).toMatchObject({ requests: at === 10 ? 1 : 2 });
  });

  it("is read without the earlier tables, and needs no session name for its only session", async () => {
    const database = join(folder(), "opencode.db");
    const file = new Database(database);
    upgradeOpencode(file);
    const call = (id: string, state: object) => ({
      type: "tool",
      id,
      name: "shell",
      state: { input: { command: id }, ...state },
    });
    putCurrent(file, "ses_1", "Only", [
      ["user", 1, { text: "Go.", files: [{ uri: "data:image/png;base64,AAAA", mime: "image/png", name: "a.png" }] }],
      ["synthetic", 2, { text: "Plan mode." }],
      ["model-switched", 3, {}],
      [
        "assistant",
        4,
        answer(100, 0, [
          { type: "reasoning", text: "Think." },
          call("call_1", {
            status: "completed",
            content: [
              { type: "text", text: "a" },
              { type: "text", text: "b" },
            ],
          }),
          call("call_2", { status: "error", error: { type: "tool.execution", message: "Not found." } }),
        ]),
      ],
      ["shell", 5, { command: "ls", output: "x" }],
      ["compaction", 6, { reason: "auto", summary: "So far.", recent: "Last words." }],
      ["assistant", 7, answer(50, 0, [{ type: "text", text: "Done." }])],
      ["telepathy", 8, {}],
    ]);
    file.close();
    const { summary, items } = await readAs(database, "opencode");
    expect(summary).toMatchObject({ sessionId: "ses_1", requests: 2 });
    expect(summary.problems).toContainEqual({ code: "unknown-record", detail: "telepathy", count: 1 });
    expect(summary.compactions).toMatchObject([{ trigger: "auto" }]);
    expect(items.map(({ kind, text }) => (kind === "image" ? kind : text))).toEqual([
      ...[
        "",
        "Go.",
        "image",
        "Plan mode.",
        "Think.",
        '{"command":"call_1"}',
        '{"command":"call_2"}',
        "a\nb",
        "Not found.",
      ],
      ...["Shell command: ls\n\nx", "What did we do so far?", "So far.", "Last words.", "Done."],
    ]);
  });
});

/** Another process that writes one message with one part at a time for a while, without waiting, and reports rejected writes. */
const WRITER = `
  const Database = require("libsql");
  const [path, ms] = process.argv.slice(1);
  const file = new Database(path, { timeout: 0 });
  file.exec("pragma synchronous = off");
  const refused = [];
  let written = 0;
  process.stdout.write("begun\\n");
  for (const end = Date.now() + Number(ms); Date.now() < end; ) {
    try {
      file.exec("begin immediate");
      file.prepare("insert into message values (?, 'ses_1', ?, ?, ?)").run(["msg_w" + written, written, written, '{"role":"user"}']);
      file.prepare("insert into part values (?, ?, 'ses_1', ?, ?, ?)").run(["prt_w" + written, "msg_w" + written, written, written, '{"type":"text","text":"Hi"}']);
      file.exec("commit");
      written += 1;
    } catch (error) {
      refused.push(error.message);
      if (file.inTransaction) file.exec("rollback");
    }
  }
  process.stdout.write(JSON.stringify({ written, refused }));
`;

describe("an agent's database during writes", () => {
  it.each([
    ["with a write-ahead log", "pragma journal_mode = wal"],
    ["without one", "pragma journal_mode = delete"],
  ])("gives a consistent snapshot on every read and blocks no write: %s", async (_, journal) => {
    const place = folder();
    const path = join(place, "opencode.db");
    const file = newOpencodeDatabase(path, journal);
    putExport(file, { info: { id: "ses_1", title: "One", time: { created: 1, updated: 1 } }, messages: [] });
    file.close();
    const writer = spawn(process.execPath, ["-e", WRITER, path, "600"], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    writer.stdout.on("data", (chunk) => {
      output += String(chunk);
    });
    const ended = once(writer, "exit");
    await once(writer.stdout, "data");
    const seen: number[] = [];
    while (writer.exitCode === null) {
      // Reading never yields to the event loop, which reports the writer's exit.
      await delay(1);
      const messages = await withAgentDatabase(path, ({ rules, query }) =>
        [...rules.lines(query, "ses_1")].slice(1).map((line) => JSON.parse(line)),
      ).catch((error) => {
        // Without a log there may be no moment at which nothing is written.
        if (journal.endsWith("delete") && error.code === "changed") return undefined;
        throw error;
      });
      if (messages === undefined) continue;
      expect(messages.filter(({ parts }) => parts.length !== 1)).toEqual([]);
      expect(messages.map(({ info }) => info.id)).toEqual(messages.map((__, at) => `msg_w${at}`));
      seen.push(messages.length);
    }
    await ended;
    const { written, refused } = JSON.parse(output.slice(output.indexOf("{")));
    expect(refused).toEqual([]);
    expect(written).toBeGreaterThan(10);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    if (journal.endsWith("wal")) expect(seen.length).toBeGreaterThan(3);
    const [{ bytes } = { bytes: 0 }] = await runner.database({ path });
    expect(bytes).toBe(written * '{"role":"user"}{"type":"text","text":"Hi"}'.length);
  });

  it("is left without extra files after its agent has closed it", async () => {
    const place = folder();
    const path = join(place, "opencode.db");
    const file = newOpencodeDatabase(path);
    putExport(file, { info: { id: "ses_1", title: "One", time: { created: 1, updated: 1 } }, messages: [] });
    file.exec("pragma wal_checkpoint(truncate)");
    file.close();
    for (const ending of ["-wal", "-shm"])
      if (readdirSync(place).includes(`opencode.db${ending}`)) writeFileSync(`${path}${ending}`, "");
    const before = readdirSync(place).map((name) => [name, readFileSync(join(place, name)).toString("hex")]);
    expect(await runner.database({ path })).toHaveLength(1);
    expect(readdirSync(place).map((name) => [name, readFileSync(join(place, name)).toString("hex")])).toEqual(before);
  });
});
