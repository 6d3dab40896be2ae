import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { readerOf } from "@/lib/agents/registry";
import { dumpTranscript } from "@/verify/support/dump";
import { InputError } from "../base/input-error";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import { fileSessions } from "./file-sessions";
import { type ReadOptions, readTranscript } from "./read-transcript";
import { SourceFile } from "./source-file";

const folder = temporaryFolder();

function read(content: string, options: ReadOptions = {}) {
  return readTranscript(put(folder, "session.jsonl", content), options).transcript;
}

function listed(content: string, options: ReadOptions = {}) {
  const path = put(folder, "session.jsonl", content);
  const { transcript, version } = readTranscript(path, options);
  return SourceFile.use(path, (file) => fileSessions(file, transcript, version.session, options));
}

/** Replaces everything but the line ends by white space, so that none of it is read and the rest keeps its place. */
function blank(content: string): string {
  return " ".repeat(Buffer.byteLength(content)).replace(/ /g, (space, at) => (content[at] === "\n" ? "\n" : space));
}

/** The ids by which sessions and records of a file refer to each other. */
function idsOf(content: string): Set<string> {
  const ids = new Set<string>();
  for (const line of content.split("\n").filter((text) => text.trim() !== "")) {
    const { sessionId, uuid, type, id, payload, info, instructions, session_id, thread_id, msg, data, role, crush } =
      JSON.parse(line);
    const named =
      type === "session_meta"
        ? payload.id
        : type === "session" || crush === "session" || role === "session_meta" || instructions !== undefined
          ? id
          : info?.id;
    for (const one of [sessionId, uuid, named, session_id, thread_id, msg?.session_id, data?.sessionId])
      if (typeof one === "string") ids.add(one);
  }
  return ids;
}

/** The same session under other ids. */
function renamed(content: string): string {
  return [...idsOf(content)].reduce((text, id) => text.replaceAll(`"${id}"`, `"${id}-b"`), content);
}

/** ASCII fixtures that are one session each, with one record per line: documents are put on one line. */
function sessionsOf(format: string): string[] {
  const files = fixtureFiles(/\.jsonl?$/).filter((file) => file.includes(`/lib/agents/${format}/`));
  return files
    .map((file) => readFileSync(file, "utf8"))
    .map((text) => `${(text.startsWith("{\n") ? JSON.stringify(JSON.parse(text)) : text).trim()}\n`)
    .filter((text) => {
      // The session of a damaged line is unknown.
      const isPlain = ![...text].some((character) => character > "\u007f") && !text.startsWith("[");
      if (!isPlain) return false;
      const { damaged, problems, format: found } = read(text, { format });
      const names = new Set(["damaged-line", "several-sessions"]);
      return damaged.length === 0 && found === format && !problems.some(({ code }) => names.has(code));
    });
}

describe.each([
  "claude-code",
  "codex",
  "qwen-code",
  "pi",
  "openclaw",
  "clawdcode",
  "gemini-cli",
  "opencode",
  "copilot-cli",
  "crush",
  "hermes",
])("two %s sessions in one file", (format) => {
  const sessions = sessionsOf(format).filter((text) => listedIds(text, format).length === 1);

  test("are each read as from a file of their own", () => {
    expect(sessions.length).toBeGreaterThan(1);
    for (const [index, first] of sessions.entries()) {
      const second = renamed(sessions[(index + 1) % sessions.length] ?? "");
      const both = first + second;
      const found = listed(both, { format });
      expect(found).toMatchObject({ total: 2, chosen: null });
      const [one, other] = found?.sessions ?? [];
      expect(one?.line).toBe(1);
      expect(other?.line).toBe(first.split("\n").length);
      const alone = [first + blank(second), blank(first) + second];
      for (const [place, session] of [one, other].entries()) {
        const chosen = read(both, { format, session: session?.key ?? "" });
        const expected = read(alone[place] ?? "", { format });
        expect(dumpTranscript(chosen)).toBe(dumpTranscript(expected));
        expect(chosen.messages).toEqual(expected.messages);
      }
    }
  });
});

/** The session's id, if the file's first line states it. */
function listedIds(text: string, format: string): string[] {
  const [line = "{}"] = text.split("\n");
  const mark = readerOf(format)?.sessionMarks?.()({ value: JSON.parse(line), line: 1, offset: 0, length: line.length });
  return mark?.session === undefined ? [] : [mark.session];
}

test("the sessions of a file are listed with their first records, and the selected one is marked", () => {
  const content = readFileSync("lib/agents/codex/fixtures/two-sessions.jsonl", "utf8");
  const rows = [
    { key: "0b-first", sessionId: "0b-first", title: "Which test is slow?", line: 1, records: 4 },
    { key: "0c-second", sessionId: "0c-second", title: "Copied from the origin.", line: 5, records: 6 },
  ];
  expect(listed(content)).toMatchObject({ total: 2, chosen: null, sessions: rows });
  expect(listed(content, { session: "0c-second" })).toMatchObject({ total: 2, chosen: "0c-second", sessions: rows });
  expect(read(content, { session: "0c-second" }).links.parents).toEqual([{ session: "0c-origin", kind: "fork" }]);
});

test.each([
  ["opencode exports in a list", "opencode/fixtures/two-exports.json", ["ses_one", "ses_two"]],
  ["trajectories, a line each", "atif/fixtures/one-a-line.jsonl", ["025B810F", "025B8110"]],
  ["message lists", "chat/fixtures/lists.jsonl", ["1", "2"]],
  ["a Gemini CLI session after another", "gemini-cli/fixtures/resumed.jsonl", [/0001$/, /0002$/]],
  ["requests of two sessions", "api-log/fixtures/events-one-per-line.jsonl", ["5f0c", "sess-9"]],
  ["requests of two sessions in a HAR", "api-log/fixtures/har-two-sessions.json", ["aaaa1111", "bbbb2222"]],
])("the sessions of a file are found: %s", (_what, fixture, keys) => {
  const found = listed(readFileSync(`lib/agents/${fixture}`, "utf8"));
  const named = found?.sessions.map(({ key }, index) => (keys[index] instanceof RegExp ? keys[index].test(key) : key));
  expect(named).toEqual(keys.map((key) => (key instanceof RegExp ? true : key)));
});

test.each([
  "claude-code/fixtures/compaction-without-boundary.jsonl",
  "qwen-code/fixtures/branched.jsonl",
  "codex/fixtures/forked-and-spawned.jsonl",
  "codex/fixtures/repeated-session-meta.jsonl",
  "hermes/fixtures/continued-in-another-session.jsonl",
])("a continued or forked session is not split in two: %s", (fixture) => {
  expect(listed(readFileSync(`lib/agents/${fixture}`, "utf8"))).toBeNull();
});

test("a second header in a Kimi CLI wire file begins a new session", () => {
  const content = readFileSync("lib/agents/kimi-cli/fixtures/turns.jsonl", "utf8");
  expect(listed(content)).toBeNull();
  const found = listed(content + content);
  expect(found?.sessions.map(({ key, line }) => [key, line])).toEqual([
    ["1", 1],
    ["2", content.split("\n").length],
  ]);
});

test("a HAR file with many unrelated requests is recognised, and reports no problems", () => {
  const har = JSON.parse(readFileSync("lib/agents/api-log/fixtures/har-two-sessions.json", "utf8"));
  const [other, ...asked] = har.log.entries;
  const entries = [...Array.from({ length: 120 }, () => other), ...asked];
  const { format, problems, records } = read(JSON.stringify({ log: { ...har.log, entries } }));
  expect(format).toBe("api-log");
  expect(problems.map(({ code }) => code)).toEqual(["several-sessions"]);
  expect(records.total).toBe(124);
});

test("a session can be selected by its id as well as by its key", () => {
  const other = (line: string) => line.replaceAll('"s-1"', '"a / b"').replace('"u1"', '"u9"');
  const content = `${userLine("One.", "u1")}\n${other(userLine("Other.", "u1"))}\n`;
  expect(listed(content)?.sessions.map(({ key }) => key)).toEqual(["s-1", "2"]);
  expect(read(content, { session: "a / b" }).title).toBe("Other.");
  expect(read(content, { session: "2" }).title).toBe("Other.");
});

test("the error for a missing session names the file's sessions", () => {
  const content = `${userLine("One.", "u1")}\n${assistantLine("Two.", "a1", "u1")}\n`;
  expect(() => read(content, { session: "elsewhere" })).toThrow(InputError);
  expect(() => read(content, { session: "elsewhere" })).toThrow(
    "session.jsonl holds no such session; it holds one session, s-1.",
  );
});

test("a file with one session has no list of sessions", () => {
  expect(listed(`${userLine("One.", "u1")}\n`)).toBeNull();
});

test("every format except two has marks that separate sessions", () => {
  // A file of Mistral Vibe is one message a line, without a header or the session's id; a trajectory of OpenHands is one list of events.
  const single = ["mistral-vibe", "openhands"];
  const formats = new Set(fixtureFiles().map((file) => basename(file.replace(/\/fixtures\/.*$/, ""))));
  expect([...formats].filter((format) => readerOf(format)?.sessionMarks === undefined)).toEqual(single);
});

test("a subagent in the session's file is read as from a file of its own", () => {
  const content = readFileSync("lib/agents/claude-code/fixtures/sidechains-inside.jsonl", "utf8");
  const own = content
    .split("\n")
    .map((line) => {
      const { isSidechain, agentId } = line === "" ? {} : JSON.parse(line);
      return isSidechain === true && agentId === "ag1" ? line : " ".repeat(Buffer.byteLength(line));
    })
    .join("\n");
  const subagent = read(content, { session: "agent-ag1" });
  expect(dumpTranscript(subagent)).toBe(dumpTranscript(read(own)));
  expect(subagent.links).toMatchObject({ agentId: "ag1", parents: [{ session: "s-1", kind: "subagent" }] });
  expect(subagent.messages).toHaveLength(3);
  expect(read(content).links.subagents).toEqual([{ agentId: "ag1", callId: "toolu_1", isInFile: true }]);
  expect(() => read(content, { session: "agent-ag3" })).toThrow(InputError);
});

test("subagents without an id are found by the root of their records and by the prompt of their calls", () => {
  const content = readFileSync("lib/agents/claude-code/fixtures/sidechains-without-ids.jsonl", "utf8");
  const { links, sidechains, messages } = read(content);
  expect(links.subagents).toEqual([
    { agentId: "x1", callId: "toolu_1", isInFile: true },
    { agentId: "y1", callId: "toolu_2", isInFile: true },
  ]);
  // They do not change the counted totals.
  expect(sidechains).toBe(0);
  expect(messages).toHaveLength(5);
  const subagent = read(content, { session: "agent-x1" });
  expect(subagent.links).toMatchObject({ agentId: "x1", parents: [{ session: "s-1", kind: "subagent" }] });
  expect(subagent.messages).toHaveLength(4);
  expect(read(content, { session: "agent-y1" }).messages).toHaveLength(2);
});
