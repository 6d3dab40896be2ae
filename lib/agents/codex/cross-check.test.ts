import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { replay, type SimulatedCompaction } from "@/lib/core/compaction/replay";
import { resolveSettings, type Settings } from "@/lib/core/compaction/settings";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Boundary, Message, Transcript } from "@/lib/core/transcript/model";
import { expectedRows, WITHOUT_RECORDINGS } from "../testing/expected";
import { readRecords, readTranscript } from "../testing/read";
import { compact } from "./compaction";
import { SUMMARY_PREFIX } from "./contextual";
import { historyTokens, itemTokens } from "./estimate";
import { codexEstimatorOf, codexMeasures, nativeItems } from "./estimator";
import { type ResponseItem, userMessage } from "./item";
import { codexPolicy } from "./policy";
import type { CodexPreset } from "./presets";
import { codexReader } from "./reader";
import { recordItems, withoutLastTurns } from "./recorded-history";
import { remoteCompactedHistory } from "./remote";
import type { TruncationPolicy } from "./truncate";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over the recorded items, at
 * the same requests. A truncated text may differ by the bytes of a character at each side of its cut, and by how the
 * characters that JSON escapes are spread over it.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const recordings = expectedRows("codex").filter((row) => !row.file.startsWith("wesm__"));

const SUMMARY = "What was done: everything that was asked for, in order, and what is left.";
const SUMMARY_TOKENS = itemTokens(userMessage(`${SUMMARY_PREFIX}\n${SUMMARY}`), "release-2026-01");
const COMPACTION_ITEM: ResponseItem = { type: "compaction", encrypted_content: "x".repeat(4000) };
const WINDOW = 272_000;

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  /** Items of every message, as recorded. */
  readonly items: readonly (readonly ResponseItem[])[];
}

function load(path: string, preset: CodexPreset): Loaded {
  const bytes = readFileSync(path);
  const transcript = readTranscript(bytes, codexReader);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const measures = {
    "codex.jsonBytes": new Int32Array(columns.length),
    "codex.retained": new Int32Array(columns.length),
  };
  const estimator = codexEstimatorOf(preset);
  const items = transcript.messages.map((message, index) => {
    const contents = contentsOf(message, records);
    const start = starts[index] ?? 0;
    const numbers = codexMeasures(message, contents, "codex");
    tokens.set(estimator.blocks(message, contents, "codex"), start);
    measures["codex.jsonBytes"].set(numbers["codex.jsonBytes"], start);
    measures["codex.retained"].set(numbers["codex.retained"], start);
    return nativeItems(message, contents, "codex").map((native) => native.item);
  });
  return { transcript, columns: { ...columns, measures }, tokens, items };
}

function contentsOf(message: Message, records: ReadonlyMap<number, Readonly<Record<string, unknown>>>): BlockContent[] {
  return message.blocks.map((block) => {
    const record = assertDefined(records.get(block.source.offset), "the block's record");
    return { record, text: codexReader.texts(record)[block.source.part] ?? "" };
  });
}

function settingsFor(preset: CodexPreset, given: Readonly<Record<string, unknown>>): Settings {
  const specs = codexPolicy.settings(preset, { window: WINDOW, agent: "codex" });
  return resolveSettings(specs, { summaryTokens: SUMMARY_TOKENS, ...given });
}

interface ExactSizes {
  readonly before: Tokens;
  readonly after: Tokens;
  readonly items: number;
}

/**
 * Tokens before and after every compaction that the numbers made, by the exact rules at the same requests. Ends where turns
 * are taken back after a compaction: the program then counts turns of the history that its own compaction left.
 */
function exactSizes(
  loaded: Loaded,
  compactions: readonly SimulatedCompaction[],
  apply: (items: readonly ResponseItem[]) => readonly ResponseItem[],
  preset: CodexPreset,
  entry: TruncationPolicy,
): readonly ExactSizes[] {
  let history: readonly ResponseItem[] = [];
  let entered = 0;
  const sizes: ExactSizes[] = [];
  for (const compaction of compactions) {
    const end = loaded.transcript.requests[compaction.request]?.message ?? loaded.transcript.messages.length;
    for (const rollback of rollbacksBetween(loaded, entered, end)) {
      if (sizes.length > 0) return sizes;
      history = [...history, ...recordItems(simulatedItems(loaded, entered, rollback.message), entry, preset)];
      history = withoutLastTurns(history, turnsTakenBack(loaded, rollback), preset);
      entered = rollback.message;
    }
    history = [...history, ...recordItems(simulatedItems(loaded, entered, end), entry, preset)];
    entered = end;
    const before = historyTokens(history, "", preset);
    history = apply(history);
    sizes.push({ before, after: historyTokens(history, "", preset), items: history.length });
  }
  return sizes;
}

function rollbacksBetween({ transcript }: Loaded, from: number, to: number): readonly Boundary[] {
  return transcript.boundaries.filter(({ kind, message }) => kind === "rollback" && message >= from && message <= to);
}

/** Items of the messages from one to another, less what only a recorded compaction put there. */
function simulatedItems(loaded: Loaded, from: number, to: number): readonly ResponseItem[] {
  return loaded.transcript.messages
    .slice(from, to)
    .flatMap((message, index) => (message.recordedOnly === true ? [] : (loaded.items[from + index] ?? [])));
}

function turnsTakenBack({ transcript }: Loaded, rollback: Boundary): number {
  const kept = new Set(rollback.kept);
  const before = transcript.messages.slice(0, rollback.message);
  return before.filter((message, index) => message.origin === "typed" && !kept.has(index)).length;
}

function initialContext(loaded: Loaded): readonly ResponseItem[] {
  return loaded.transcript.messages.flatMap((message, index) =>
    message.initialContext === true ? (loaded.items[index] ?? []) : [],
  );
}

const TYPED = 1;

/** Several compactions in every session, and room for less than half of what was typed. */
function tightSettings({ columns, tokens }: Loaded): { limit: Tokens; budget: Tokens } {
  const typed = columns.bytes.reduce((sum, bytes, row) => sum + (columns.origin[row] === TYPED ? bytes : 0), 0);
  const total = tokens.reduce((sum, size) => sum + size, 0);
  return { limit: Math.max(150, Math.floor(total / 8)), budget: Math.max(4, Math.floor(typed * 0.1)) };
}

const ENTRY: TruncationPolicy = { mode: "tokens", limit: 500 };

function checkLocal(loaded: Loaded, roomy: boolean): number {
  const tight = tightSettings(loaded);
  const settings = settingsFor("as-documented", {
    autoCompactLimit: tight.limit,
    toolOutputTokens: ENTRY.limit,
    ...(roomy ? {} : { userMessageTokens: tight.budget }),
  });
  const run = replay(loaded.columns, loaded.tokens, codexPolicy, settings, { window: WINDOW, counting: "estimate" });
  const initial = initialContext(loaded);
  const budget = roomy ? 20_000 : tight.budget;
  const answer: ResponseItem = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: SUMMARY }],
  };
  const apply = (items: readonly ResponseItem[]) =>
    compact(
      { items: [...items, answer], initialContext: initial, baseInstructions: "", userMessageTokens: budget },
      "release-2026-01",
    ).history;
  compare(run.compactions, exactSizes(loaded, run.compactions, apply, "as-documented", ENTRY), loaded, roomy);
  return run.compactions.length;
}

function checkRemote(loaded: Loaded, roomy: boolean): number {
  const tight = tightSettings(loaded);
  const summaryTokens = itemTokens(COMPACTION_ITEM, "current");
  const settings = settingsFor("current", {
    summaryTokens,
    autoCompactLimit: tight.limit,
    toolOutputTokens: ENTRY.limit,
    ...(roomy ? {} : { retainedTokens: tight.budget }),
  });
  const run = replay(loaded.columns, loaded.tokens, codexPolicy, settings, { window: WINDOW, counting: "estimate" });
  const initial = initialContext(loaded);
  // What is sent again anyway does not stay; in files of old versions `current` would not know all of it.
  const apply = (items: readonly ResponseItem[]) => [
    ...initial,
    ...remoteCompactedHistory(
      items.filter((item) => !initial.includes(item)),
      COMPACTION_ITEM,
      roomy ? 64_000 : tight.budget,
    ),
  ];
  compare(run.compactions, exactSizes(loaded, run.compactions, apply, "current", ENTRY), loaded, roomy);
  return run.compactions.length;
}

function compare(
  compactions: readonly SimulatedCompaction[],
  exact: readonly ExactSizes[],
  loaded: Loaded,
  roomy: boolean,
): void {
  const overhead = loaded.tokens.slice(0, loaded.columns.overheadRows).reduce((sum, size) => sum + size, 0);
  for (const [index, numbers] of exact.entries()) {
    const compaction = assertDefined(compactions[index], "the compaction");
    const outputs = loaded.columns.bytes.filter((bytes) => bytes > ENTRY.limit * 4.8).length;
    const where = `compaction ${index} at request ${compaction.request}`;
    const slack = (sizes: Tokens) => (roomy ? 0 : 3 + Math.ceil(sizes * 0.005));
    const before = Math.abs(compaction.tokensBefore - overhead - numbers.before);
    expect(before, `${where}, before`).toBeLessThanOrEqual(slack(numbers.after) + outputs * 3);
    const after = Math.abs(compaction.tokensAfter - overhead - numbers.after);
    expect(after, `${where}, after`).toBeLessThanOrEqual(slack(numbers.after));
    const kept = new Set(compaction.kept.map((item) => loaded.columns.message[item]));
    expect(kept.size + compaction.added.length, `${where}, messages`).toBe(numbers.items);
  }
}

function both(check: (loaded: Loaded, roomy: boolean) => number, loaded: Loaded): number {
  return check(loaded, true) + check(loaded, false);
}

describe("fixtures", () => {
  let compactions = 0;

  describe.each(fixtures)("%s", (name) => {
    it("local compaction, with and without room for all messages", () => {
      compactions += both(checkLocal, load(`${FOLDER}${name}`, "as-documented"));
    });
    it("remote compaction, with and without room for all messages", () => {
      compactions += both(checkRemote, load(`${FOLDER}${name}`, "current"));
    });
  });

  it("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(fixtures.length);
  });
});

describe.skipIf(recordings.length === 0)(`recordings (${WITHOUT_RECORDINGS} otherwise)`, () => {
  it.each(recordings)("$file", ({ path }) => {
    const local = both(checkLocal, load(path, "as-documented"));
    const remote = both(checkRemote, load(path, "current"));
    expect(local + remote).toBeGreaterThan(0);
  });
});
