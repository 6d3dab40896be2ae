import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import { type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { expectedRows } from "../testing/expected";
import { compress } from "./compress";
import { MASK_MINIMUM_TOKENS, MASK_PROTECTED_TOKENS, OUTPUT_CHARS } from "./constants";
import { type Content, partsOf } from "./content";
import { geminiEstimator, geminiMeasures } from "./estimator";
import { maskToolOutputs } from "./masking";
import { nativeContent } from "./native";
import { GEMINI_MEASURES, geminiPolicy } from "./policy";
import { geminiReader } from "./reader";
import { readFile } from "./testing";
import { partsTokens } from "./tokens";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over the contents, at the same
 * requests: the same kept messages, the same masked results, the same tokens after.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => !name.endsWith(".golden.txt"));
const recordings = expectedRows("gemini-cli");

const SUMMARY = "<state_snapshot>What was done, in order, and what is left.</state_snapshot>";
const SUMMARY_TOKENS = partsTokens([{ text: SUMMARY }]);
const PATH = "/home/user/.gemini/tmp/project/tool-outputs";

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  readonly contents: readonly Content[];
}

function load(bytes: Uint8Array): Loaded {
  const { transcript, records } = readFile(bytes);
  const byOffset = new Map(records.map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const measures = Object.fromEntries(GEMINI_MEASURES.map((name) => [name, new Int32Array(columns.length)]));
  const contents = transcript.messages.map((message, index) => {
    const texts = contentsOf(message, byOffset);
    const start = starts[index] ?? 0;
    const numbers = geminiMeasures(message, texts, "gemini-cli");
    tokens.set(geminiEstimator.blocks(message, texts, "gemini-cli"), start);
    for (const name of GEMINI_MEASURES) measures[name]?.set(numbers[name], start);
    return nativeContent(message, texts, "gemini-cli").content;
  });
  return { transcript, columns: { ...columns, measures }, tokens: tokenColumn(columns, tokens), contents };
}

function contentsOf(message: Message, records: ReadonlyMap<number, Readonly<Record<string, unknown>>>): BlockContent[] {
  return message.blocks.map((block) => {
    const record = assertDefined(records.get(block.source.offset), "the block's record");
    return { record, text: geminiReader.texts(record)[block.source.part] ?? "" };
  });
}

/** A content of the exact history, and the message that it was; −1 for what a compression added. */
interface Held {
  readonly message: number;
  readonly content: Content;
}

function check(loaded: Loaded, window: number, given: Readonly<Record<string, unknown>>): Replay {
  const specs = geminiPolicy.settings("current", { window, agent: "gemini-cli" });
  const settings = resolveSettings(specs, { summaryTokens: SUMMARY_TOKENS, ...given });
  const run = replay(loaded.columns, loaded.tokens, geminiPolicy, settings, { window, counting: "estimate" });
  let history: readonly Held[] = [];
  let entered = 0;
  let resized = 0;
  for (const compaction of run.compactions) {
    const point = loaded.transcript.requests[compaction.request - 1];
    const sentUpTo = afterResponse(loaded.transcript, assertDefined(point, "a response before").message);
    const before = history.map(({ message }) => message);
    history = [...withoutTakenBack(history, loaded.transcript, entered, sentUpTo), ...fresh(loaded, entered, sentUpTo)];
    entered = sentUpTo;
    const where = `request ${compaction.request}, ${compaction.outcome}, before ${before.length}`;
    const original = run.context[compaction.request - 1] ?? 0;
    history =
      compaction.outcome === "clear"
        ? checkMasking(
            history,
            compaction.cleared.map(([item]) => loaded.columns.message[item] ?? -1),
            where,
          )
        : compressed(history, original, window, settings, loaded);
    const end = loaded.transcript.requests[compaction.request]?.message ?? loaded.transcript.messages.length;
    const kept = [...new Set(compaction.kept.map((item) => loaded.columns.message[item] ?? -1))];
    const held = history.filter(({ message }) => message >= 0).map(({ message }) => message);
    const pending = fresh(loaded, entered, end).map(({ message }) => message);
    expect(
      kept.filter((message) => message !== undefined && message >= 0),
      where,
    ).toEqual([...held, ...pending]);
    const exact = history.reduce((sum, { content }) => sum + partsTokens(partsOf(content)), 0);
    const added = fresh(loaded, entered, end).reduce((sum, { content }) => sum + partsTokens(partsOf(content)), 0);
    const overhead = loaded.tokens.slice(0, loaded.columns.overheadRows).reduce((sum, size) => sum + size, 0);
    // A result that changes its size is rounded by itself, its content as a whole.
    resized += compaction.truncated.length + compaction.cleared.length;
    expect(Math.abs(compaction.tokensAfter - overhead - exact - added), where).toBeLessThanOrEqual(
      Math.min(resized, 3),
    );
  }
  return run;
}

/** Index behind the messages of a response. */
function afterResponse(transcript: Transcript, from: number): number {
  let end = from;
  while (transcript.messages[end]?.origin === "response" && (end === from || !startsPoint(transcript, end))) end += 1;
  return end;
}

function startsPoint(transcript: Transcript, message: number): boolean {
  return transcript.requests.some((point) => point.message === message);
}

function fresh(loaded: Loaded, from: number, to: number): readonly Held[] {
  return loaded.transcript.messages.slice(from, to).flatMap((message, index) => {
    const content = loaded.contents[from + index];
    return message.recordedOnly === true || content === undefined ? [] : [{ message: from + index, content }];
  });
}

/** Fixtures with a rewind are not among those checked here: nothing is taken back. */
function withoutTakenBack(history: readonly Held[], transcript: Transcript, from: number, to: number): readonly Held[] {
  const taken = transcript.boundaries.filter(
    ({ kind, message }) => kind === "rollback" && message > from && message <= to,
  );
  expect(taken).toEqual([]);
  return history;
}

function compressed(
  history: readonly Held[],
  original: number,
  window: number,
  settings: Readonly<Record<string, unknown>>,
  loaded: Loaded,
): readonly Held[] {
  const result = compress(
    {
      history: history.map(({ content }) => content),
      original,
      force: false,
      failedBefore: false,
      threshold: Number(settings.threshold),
      preserve: Number(settings.preserve),
      toolResponseTokens: Number(settings.toolResponseTokens),
      window,
      maxChars: OUTPUT_CHARS,
      environment: "",
    },
    { ask: () => SUMMARY, save: (tool) => `${PATH}/${tool}_1.txt`, countTokens: () => undefined },
  );
  expect(result.status).toBe("COMPRESSED");
  const next = assertDefined(result.history, "a history");
  const tail = next.length - 2;
  const initial = history.filter(({ message }) => loaded.transcript.messages[message]?.initialContext === true);
  const kept = history
    .slice(history.length - tail)
    .map(({ message }, index) => ({ message, content: next[index + 2] ?? {} }));
  return [...next.slice(0, 2).map((content) => ({ message: -1, content })), ...initial, ...kept];
}

function checkMasking(history: readonly Held[], cleared: readonly number[], where: string): readonly Held[] {
  const masked = maskToolOutputs(
    history.map(({ content }) => content),
    { protectedTokens: MASK_PROTECTED_TOKENS, minimumTokens: MASK_MINIMUM_TOKENS, protectLatestTurn: true },
    (tool, callId) => `${PATH}/session-00000000/${tool}_${callId}_abcdef.txt`,
  );
  const messages = masked.parts.map(([index]) => history[index]?.message);
  expect(
    cleared.toSorted((a, b) => a - b),
    where,
  ).toEqual(messages);
  return history.map(({ message }, index) => ({ message, content: masked.history[index] ?? {} }));
}

/** A session of many turns, calls and large outputs, drawn from a seed. */
function drawnSession(seed: number): Uint8Array {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = (chars: number) => "word 词语 ".repeat(Math.ceil(chars / 8)).slice(0, chars);
  const lines: unknown[] = [{ sessionId: "drawn", projectHash: "h", startTime: "2026-01-01T00:00:00.000Z" }];
  lines.push({ id: "env", type: "user", content: [{ text: `<session_context>\n${text(400)}` }] });
  for (let turn = 0; turn < 25; turn++) {
    lines.push({ id: `u${turn}`, type: "user", content: [{ text: text(20 + draw(900)) }] });
    const responses = 1 + draw(5);
    for (let step = 0; step < responses; step++) {
      const calls = step === responses - 1 ? 0 : draw(3);
      const tools = ["read_file", "run_shell_command", "ask_user"];
      lines.push({
        id: `g${turn}-${step}`,
        type: "gemini",
        content: text(draw(500)),
        model: "gemini-3-pro",
        toolCalls: Array.from({ length: calls }, (_, index) => {
          const [id, name] = [`c${turn}-${step}-${index}`, tools[draw(3)]];
          const output = draw(3) === 0 ? text(30_000 + draw(90_000)) : text(draw(4000));
          return { id, name, args: { path: "a" }, result: [{ functionResponse: { id, name, response: { output } } }] };
        }),
      });
    }
  }
  return Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
}

describe("fixtures", () => {
  const checked = fixtures.filter((name) => !["rewinds.jsonl", "list-replaced.jsonl"].includes(name));
  it.each(checked)("%s", (name) => {
    check(load(readFileSync(`${FOLDER}${name}`)), 100, {});
  });
});

describe("drawn sessions", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("seed %i", (seed) => {
    const loaded = load(drawnSession(seed));
    const total = loaded.tokens.reduce((sum, size) => sum + size, 0);
    const outcomes = [
      ...check(loaded, Math.floor(total / 2), { toolResponseTokens: 20_000 }).compactions,
      ...check(loaded, Math.floor(total / 4), { preserve: 0.6, toolResponseTokens: 500 }).compactions,
      ...check(loaded, 10_000_000, {}).compactions,
    ].map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["summary", "clear"]));
  });

  it("leaves the history where the summary call fails, and asks again", () => {
    const loaded = load(drawnSession(9));
    const specs = geminiPolicy.settings("current", { window: 50_000, agent: "gemini-cli" });
    const settings = resolveSettings(specs, { failSummary: 1 });
    const run = replay(loaded.columns, loaded.tokens, geminiPolicy, settings, { window: 50_000, counting: "estimate" });
    expect(run.compactions.slice(0, 2).map(({ outcome }) => outcome)).toEqual(["failed", "summary"]);
  });
});

describe("recordings", () => {
  if (recordings.length === 0) it.skip("skipped: no recordings beside the project (../shared/transcripts)");
  it.each(recordings)("$file", ({ path }) => {
    check(load(readFileSync(path)), 100, {});
  });
});
