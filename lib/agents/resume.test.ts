import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { KINDS } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { NEVER, recordedMembership } from "@/lib/core/columns/membership";
import { recordedSeries } from "@/lib/core/context/recorded";
import { resumeOf } from "@/lib/core/context/resume";
import type { ProblemCode } from "@/lib/core/records/problem";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { loadConversationRecord } from "@/verify/agents/gemini-cli/conversation-record";
import { resumedHistory } from "@/verify/agents/gemini-cli/resumed-history";
import { sessionContext } from "@/verify/agents/pi/projection";
import { migrateSession, parseSessionFile } from "@/verify/agents/pi/session-file";
import { replaySession, withoutThoughts } from "@/verify/agents/qwen-code/session-replay";
import { fixturesOf } from "@/verify/support/conformance";
import { readRecords, readTranscript } from "@/verify/support/read";
import { resumedEntries, sessionEntries } from "./clawdcode/index";
import { clawdcodeReader } from "./clawdcode/read/reader";
import { geminiReader } from "./gemini-cli/read/reader";
import { contextMessages } from "./pi/messages/entry";
import { recordedEntry } from "./pi/messages/native";
import { piReader } from "./pi/read/reader";
import { type Part, partsOf } from "./qwen-code/messages/content";
import { qwenCodeReader } from "./qwen-code/read/reader";
import { profileOf } from "./registry";

/** Problems of a file from which the program loses records that we recover, or loads nothing at all. */
const ODD: ReadonlySet<ProblemCode> = new Set([
  ...["damaged-line", "missing-parent", "duplicate-record", "several-sessions", "unknown-record"],
  ...["unexpected-field", "orphan-result", "parent-cycle"],
] as ProblemCode[]);

/** The fixtures of an agent that have none of these problems: file name and bytes. */
function fixtures(reader: Reader): readonly (readonly [string, Uint8Array])[] {
  const folder = path.join(import.meta.dirname, reader.format, "fixtures");
  const all = fixturesOf(folder).map((file) => [file, readFileSync(path.join(folder, file))] as const);
  return all.filter(([, bytes]) => !readTranscript(bytes, reader).problems.some(({ code }) => ODD.has(code)));
}

/** Texts and kinds of the items that a resume loads by our rule, in order. */
function loaded(transcript: Transcript): readonly string[] {
  const columns = columnsFromTranscript(transcript);
  const rule = profileOf(transcript.agent)?.resume;
  if (rule === undefined) return [];
  const membership = recordedMembership(columns);
  const last = transcript.boundaries.findLast(({ kind }) => kind === "compaction");
  const boundary = columns.overheadRows + (last === undefined ? 0 : transcript.list.firstBlock(last.message));
  const loads = rule({
    columns,
    agentVersion: transcript.agentVersion,
    boundary,
    live: (row) => membership.dropped[row] === NEVER,
    kind: (row) => KINDS[columns.kind[row] ?? -1],
  });
  const texts: string[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const block = transcript.list.blocks.block(row - columns.overheadRows);
    if (loads(row)) texts.push(`${block.kind} ${block.text.value ?? ""}`);
  }
  const counted = { columns, tokens: columns.bytes };
  const { items } = resumeOf(counted, recordedSeries(counted), rule, transcript.agentVersion);
  expect(items).toBe(texts.length);
  return texts;
}

function blocksOf(reader: Reader, record: Readonly<Record<string, unknown>>): readonly string[] {
  return reader.texts(record);
}

const plain = (texts: readonly string[]) => texts.map((text) => text.slice(text.indexOf(" ") + 1));

describe("ClawdCode loads the rows returned by `resumedEntries`", () => {
  // Without a boundary before a summary, the program does not find the summary and loads everything.
  const files = fixtures(clawdcodeReader).filter(([file]) => file !== "summary-without-boundary.jsonl");

  test.each(files)("%s", (_file, bytes) => {
    const transcript = readTranscript(bytes, clawdcodeReader);
    const seen = new Set<unknown>();
    const entries = resumedEntries(sessionEntries(Buffer.from(bytes).toString("utf8"))).filter(({ uuid }) => {
      const copy = uuid !== undefined && seen.has(uuid);
      seen.add(uuid);
      return !copy;
    });
    expect(plain(loaded(transcript))).toEqual(entries.flatMap((entry) => blocksOf(clawdcodeReader, entry)));
  });
});

describe("Qwen Code loads the history rebuilt by `replaySession`", () => {
  // A subagent's file is omitted: the program builds a subagent's inherited history again.
  const files = fixtures(qwenCodeReader).filter(([file]) => file !== "subagent-file.jsonl");

  test.each(files)("%s", (_file, bytes) => {
    const transcript = readTranscript(bytes, qwenCodeReader);
    const history = replaySession(readRecords(bytes).map(({ value }) => value)).apiHistory;
    const documented = profileOf("qwen-code")?.presetFor?.(transcript.agentVersion) === "as-documented";
    const parts = (documented ? withoutThoughts(history) : history).flatMap((content) => partsOf(content));
    const ours = loaded(transcript).map((text) => text.slice(0, text.indexOf(" ")));
    expect(ours.filter((kind) => kind !== "image").sort()).toEqual(parts.flatMap(kindOf).sort());
  });
});

describe("Gemini CLI loads the history returned by `resumedHistory`", () => {
  test.each(fixtures(geminiReader))("%s", (_file, bytes) => {
    const record = loadConversationRecord(Buffer.from(bytes).toString("utf8"));
    const messages = Array.isArray(record?.messages) ? record.messages : [];
    // All blocks next to a result count as parts of it.
    const kinds = resumedHistory(messages).flatMap((content) => {
      const all = partsOf(content).flatMap(kindOf);
      return all.includes("tool_result") ? all.map(() => "tool_result") : all;
    });
    const ours = loaded(readTranscript(bytes, geminiReader)).map((text) => text.slice(0, text.indexOf(" ")));
    expect(ours.filter((kind) => kind !== "image").sort()).toEqual(kinds.sort());
  });
});

/** The kinds of block that a part becomes; none for media, which we hold as images and do not compare. */
function kindOf(part: Part): readonly string[] {
  if (part.functionCall) return ["tool_call"];
  if (part.functionResponse) return ["tool_result"];
  if (part.thought) return ["thinking"];
  return part.text === undefined ? [] : ["text"];
}

describe("pi loads the context rebuilt by `buildSessionContext`", () => {
  test.each(fixtures(piReader))("%s", (_file, bytes) => {
    const transcript = readTranscript(bytes, piReader);
    const values = migrateSession(parseSessionFile(Buffer.from(bytes).toString("utf8")));
    const entries = values.flatMap((value) => (isEntry(value) ? [recordedEntry(value)] : []));
    const { entries: active } = sessionContext(entries, "v0.51.0");
    // The prompt is not a message in our columns: it belongs to the overhead.
    const messages = active.flatMap(({ entry }) => contextMessages(entry)).filter(({ role }) => role !== "system");
    expect(new Set(loaded(transcript)).size).toBeGreaterThan(0);
    expect(messages.length).toBe(resumedMessages(transcript));
  });
});

function isEntry(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && "type" in value && value.type !== "session";
}

function resumedMessages(transcript: Transcript): number {
  const columns = columnsFromTranscript(transcript);
  const rule = profileOf(transcript.agent)?.resume;
  const counted = { columns, tokens: columns.bytes };
  return rule === undefined ? 0 : resumeOf(counted, recordedSeries(counted), rule, transcript.agentVersion).messages;
}
