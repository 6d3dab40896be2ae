import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import { type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawTranscript } from "@/lib/core/testing/draw";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { expectedRows, WITHOUT_RECORDINGS } from "../testing/expected";
import { readRecords, readTranscript } from "../testing/read";
import { compactionEntry, prepareCompaction } from "./compaction";
import { contextMessages, type PiEntry } from "./entry";
import { piEstimatorOf, piMeasures } from "./estimator";
import { nativeEntries, recordedEntry } from "./native";
import { piPolicy } from "./policy";
import { PI_PRESETS, type PiPreset } from "./presets";
import { sessionContext } from "./projection";
import { piReader } from "./reader";
import { messageTokens } from "./tokens";
import { shouldCompact } from "./usage";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over real entries, by a
 * simulation of their own. Same requests, same messages kept, same sizes at every request, to the token.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const recordings = expectedRows("pi");
const SUMMARY_TOKENS = 40;

/** An entry of the session, and the message of the transcript that it is; none for labels and the like. */
interface Placed {
  readonly entry: PiEntry;
  readonly message: number | undefined;
}

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  readonly entries: readonly Placed[];
}

function loadFile(path: string, preset: PiPreset): Loaded {
  const bytes = readFileSync(path);
  const transcript = readTranscript(bytes, piReader);
  const records = readRecords(bytes);
  const byOffset = new Map(records.map((record) => [record.offset, record.value]));
  const texts = (message: Message): BlockContent[] =>
    message.blocks.map((block) => {
      const record = assertDefined(byOffset.get(block.source.offset), "the block's record");
      return { record, text: piReader.texts(record)[block.source.part] ?? "" };
    });
  const messages = new Map(
    transcript.messages.flatMap((message, index) =>
      message.recordedOnly === true ? [] : [[message.blocks[0]?.source.offset, index]],
    ),
  );
  const metadata = new Set(["label", "session_info", "custom", "model_change", "thinking_level_change"]);
  const placed = records.flatMap(({ offset, value }) => {
    const message = messages.get(offset);
    return message === undefined && !metadata.has(String(value.type)) ? [] : [{ entry: recordedEntry(value), message }];
  });
  return loaded(transcript, placed, texts, preset, "pi");
}

/** A recording of another agent: its messages in pi's shape. */
function loadDrawing(drawing: string, preset: PiPreset): Loaded {
  const transcript = drawTranscript(drawing);
  const texts = (message: Message): BlockContent[] =>
    message.blocks.map((block) => ({ record: {}, text: "x".repeat(block.text.chars) }));
  const placed = transcript.messages.flatMap((message, index) =>
    message.recordedOnly === true
      ? []
      : nativeEntries(message, texts(message), "drawn").map(({ entry }) => ({ entry, message: index })),
  );
  return loaded(transcript, placed, texts, preset, "drawn");
}

function loaded(
  transcript: Transcript,
  placed: readonly Placed[],
  texts: (message: Message) => BlockContent[],
  preset: PiPreset,
  format: string,
): Loaded {
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const cut = new Int32Array(columns.length);
  transcript.messages.forEach((message, index) => {
    const contents = texts(message);
    tokens.set(piEstimatorOf(preset).blocks(message, contents, format), starts[index]);
    cut.set(piMeasures(message, contents, format)["pi.cut"], starts[index]);
  });
  const measured = { ...columns, measures: { "pi.cut": cut } };
  const entries = placed.map(({ entry, message }, index) => ({
    entry: { ...entry, id: `e${index}`, parentId: undefined },
    message,
  }));
  return { transcript, columns: measured, tokens: tokenColumn(measured, tokens), entries };
}

interface Limits {
  readonly window: Tokens;
  readonly reserveTokens: Tokens;
  readonly keepRecentTokens: Tokens;
}

interface ExactCompaction {
  readonly request: number;
  readonly trigger: string;
  readonly before: Tokens;
  readonly after: Tokens;
  /** Messages kept, with those that came after the end of the last run. */
  readonly kept: readonly number[];
}

/** pi itself, step by step: entries are appended, the context is rebuilt from them whenever its size is asked for. */
class ExactRun {
  readonly context: Tokens[] = [];
  readonly compactions: ExactCompaction[] = [];
  #session: Placed[] = [];
  readonly #overhead: Tokens;

  constructor(
    private readonly loaded: Loaded,
    private readonly limits: Limits,
    private readonly preset: PiPreset,
  ) {
    const { tokens, columns } = loaded;
    this.#overhead = tokens.slice(0, columns.overheadRows).reduce((sum, size) => sum + size, 0);
    let done = 0;
    const points = loaded.transcript.requests.map((point) => point.message);
    const all = points.length === 0 ? [loaded.transcript.messages.length] : points;
    for (const [request, message] of all.entries()) {
      const found = loaded.entries.findIndex((one) => one.message !== undefined && one.message >= message);
      const end = found < 0 ? loaded.entries.length : found;
      this.#request(request, loaded.entries.slice(done, end));
      done = end;
    }
  }

  #request(request: number, fresh: readonly Placed[]): void {
    const start = fresh.findIndex((one) => this.#originOf(one) !== "response" && this.#originOf(one) !== undefined);
    const response = request === 0 ? [] : fresh.slice(0, start < 0 ? fresh.length : start);
    const added = fresh.slice(response.length);
    const used = (this.context.at(-1) ?? 0) + this.#sizeOf(response);
    const typed = added.some((one) => this.#originOf(one) === "typed");
    const settings = { enabled: true, ...this.limits };
    const compared = typed ? used : this.preset === "current" ? used + this.#sizeOf(added) : -1;
    const after = [...this.#session, ...fresh];
    if (request > 0 && compared >= 0 && shouldCompact(compared, this.limits.window, settings)) {
      const ended = after.findLastIndex((one) => ["response", "tool"].includes(this.#originOf(one) ?? "")) + 1;
      this.#session = this.#compacted(request, "threshold", after, typed ? ended : after.length);
    } else if (this.#sizeOfContext(after) > this.limits.window) {
      this.#session = this.#compacted(request, "overflow", after, after.length);
    } else this.#session = after;
    this.context.push(this.#sizeOfContext(this.#session));
  }

  #compacted(request: number, trigger: string, session: readonly Placed[], end: number): Placed[] {
    const path = linear(session.slice(0, end).map((one) => one.entry));
    const prepared = prepareCompaction(path, { enabled: true, ...this.limits }, this.preset);
    if (prepared === undefined) return [...session];
    const entry = compactionEntry(prepared, "s".repeat(4 * SUMMARY_TOKENS), { id: `c${request}`, parentId: undefined });
    const next = [...session.slice(0, end), { entry, message: undefined }, ...session.slice(end)];
    this.compactions.push({
      request,
      trigger,
      before: this.#sizeOfContext(session),
      after: this.#sizeOfContext(next),
      kept: this.#messagesOf(next),
    });
    return next;
  }

  #projected(session: readonly Placed[]) {
    return sessionContext(linear(session.map((one) => one.entry)), this.preset).entries;
  }

  #sizeOfContext(session: readonly Placed[]): Tokens {
    const messages = this.#projected(session).flatMap((one) => one.messages);
    return this.#overhead + messages.reduce((sum, message) => sum + messageTokens(message, this.preset), 0);
  }

  #messagesOf(session: readonly Placed[]): readonly number[] {
    const ids = new Map(session.map((one) => [one.entry.id, one.message]));
    const kept = this.#projected(session).map(({ entry }) => ids.get(entry.id));
    return [...new Set(kept.filter((message) => message !== undefined))];
  }

  #sizeOf(entries: readonly Placed[]): Tokens {
    const messages = entries.flatMap(({ entry }) => contextMessages(entry));
    return messages.reduce((sum, message) => sum + messageTokens(message, this.preset), 0);
  }

  #originOf(one: Placed): string | undefined {
    return one.message === undefined ? undefined : this.loaded.transcript.messages[one.message]?.origin;
  }
}

function linear(entries: readonly PiEntry[]): PiEntry[] {
  return entries.map((entry, index) => ({ ...entry, parentId: entries[index - 1]?.id }));
}

function columnarRun(loaded: Loaded, limits: Limits, preset: PiPreset): Replay {
  const { window, ...given } = limits;
  const specs = piPolicy.settings(preset, { window: Number.MAX_SAFE_INTEGER, agent: "pi" });
  const settings = resolveSettings(specs, { ...given, summaryTokens: SUMMARY_TOKENS });
  return replay(loaded.columns, loaded.tokens, piPolicy, settings, { window, counting: "estimate" });
}

/** Compares both layers; gives the number of compactions. */
function compare(loaded: Loaded, limits: Limits, preset: PiPreset): number {
  const run = columnarRun(loaded, limits, preset);
  const exact = new ExactRun(loaded, limits, preset);
  const columnar = run.compactions.map((one) => ({
    request: one.request,
    trigger: one.trigger,
    before: one.tokensBefore,
    after: one.tokensAfter,
    kept: [...new Set(one.kept.map((item) => loaded.columns.message[item] ?? -1))],
  }));
  expect(columnar).toEqual(exact.compactions);
  expect(Array.from(run.context)).toEqual(exact.context);
  return columnar.length;
}

/** Limits under which a session compacts several times. */
function tightLimits({ tokens }: Loaded, parts: number, keepShare: number): Limits {
  const total = tokens.reduce((sum, size) => sum + size, 0);
  const window = Math.max(20, Math.floor(total / parts));
  return { window, reserveTokens: Math.floor(window / 10), keepRecentTokens: Math.floor(window * keepShare) };
}

describe.each(PI_PRESETS)("%s", (preset) => {
  let compactions = 0;

  it.each(fixtures)("fixture %s", (name) => {
    const session = loadFile(`${FOLDER}${name}`, preset);
    for (const parts of [1, 2, 4, 8]) {
      for (const share of [0, 0.1, 0.4, 2]) compactions += compare(session, tightLimits(session, parts, share), preset);
    }
  });

  it("fixtures compact often enough to tell", () => {
    expect(compactions).toBeGreaterThan(100);
  });

  it("drawn sessions of other agents", () => {
    let drawn = 0;
    const share = fc.double({ min: 0, max: 0.8, noNaN: true });
    const property = fc.property(arbitraryDrawing, fc.integer({ min: 1, max: 12 }), share, (drawing, parts, keep) => {
      const session = loadDrawing(drawing, preset);
      if (hasLateResults(session.transcript)) return;
      drawn += compare(session, tightLimits(session, parts, keep), preset);
    });
    fc.assert(property, { numRuns: 400, seed: 7 });
    expect(drawn).toBeGreaterThan(100);
  });

  describe("recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(recordings)("$file", { timeout: 30_000 }, ({ path }) => {
      const session = loadFile(path, preset);
      compare(session, { window: 100_000, reserveTokens: 16_384, keepRecentTokens: 20_000 }, preset);
      const tight = { window: 30_000, reserveTokens: 8000, keepRecentTokens: 3000 };
      expect(compare(session, tight, preset)).toBeGreaterThan(3);
    });
  });
});

/** A result that does not follow its own response may lose its call to a cut, and is dropped with it: see policy.ts. */
function hasLateResults({ messages }: Transcript): boolean {
  let open = new Set<string | undefined>();
  return messages.some((message) => {
    if (message.origin === "tool") return message.blocks.some((block) => !open.has(block.callId));
    open = new Set(message.origin === "response" ? message.blocks.map((block) => block.callId) : []);
    return false;
  });
}
