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
import { effectiveReserve, isAboveThreshold, OPENCLAW_MEASURES, PRESSURE_MARGIN } from "./constants";
import { contextOf, messageOfEntry, type SessionEntry } from "./entry";
import { messageTokens } from "./estimate";
import { openClawEstimatorOf, openClawMeasures } from "./estimator";
import { nativeEntries, recordedEntry } from "./native";
import { openClawPolicy } from "./policy";
import { prepareCompaction } from "./prepare-compaction";
import { OPENCLAW_PRESETS, type OpenClawPreset } from "./presets";
import { messagePressure } from "./pressure";
import { openClawReader } from "./reader";
import { safeguardCompaction } from "./safeguard";
import { isObject, sum } from "./value";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over real entries, by a
 * simulation of their own. Same requests, same messages kept, same sizes at every request, to the token; for the older
 * release also what was sent to make the summaries.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
/** A reset is the person's, in any simulation: nothing for the entries alone. */
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl") && !name.startsWith("resets"));
const recordings = expectedRows("openclaw");
const SUMMARY_TOKENS = 40;
const SUMMARY = "s".repeat(4 * SUMMARY_TOKENS);

/** An entry of the session, and the message of the transcript that it is; none for marks and the like. */
interface Placed {
  readonly entry: SessionEntry;
  readonly message: number | undefined;
}

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  readonly entries: readonly Placed[];
}

const METADATA = new Set(["label", "session_info", "custom", "model_change", "thinking_level_change"]);

function loadFile(path: string, preset: OpenClawPreset): Loaded {
  const bytes = readFileSync(path);
  const transcript = readTranscript(bytes, openClawReader);
  const records = readRecords(bytes);
  const byOffset = new Map(records.map((record) => [record.offset, record.value]));
  const texts = (message: Message): BlockContent[] =>
    message.blocks.map((block) => {
      const record = assertDefined(byOffset.get(block.source.offset), "the block's record");
      return { record, text: openClawReader.texts(record)[block.source.part] ?? "" };
    });
  const messages = new Map(
    transcript.messages.flatMap((message, index) =>
      message.recordedOnly === true ? [] : [[message.blocks[0]?.source.offset, index]],
    ),
  );
  const placed = records.flatMap(({ offset, value }) => {
    const message = messages.get(offset);
    return message === undefined && !METADATA.has(String(value.type)) ? [] : [{ entry: recordedEntry(value), message }];
  });
  return loaded(transcript, placed, texts, preset, "openclaw");
}

/** A recording of another agent: its messages in OpenClaw's shape. */
function loadDrawing(drawing: string, preset: OpenClawPreset): Loaded {
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
  preset: OpenClawPreset,
  format: string,
): Loaded {
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const measures = Object.fromEntries(OPENCLAW_MEASURES.map((name) => [name, new Int32Array(columns.length)]));
  transcript.messages.forEach((message, index) => {
    const contents = texts(message);
    tokens.set(openClawEstimatorOf(preset).blocks(message, contents, format), starts[index]);
    const measured = openClawMeasures(message, contents, format);
    for (const name of OPENCLAW_MEASURES) measures[name]?.set(measured[name], starts[index]);
  });
  const entries = placed.map(({ entry, message }, index) => ({ entry: { ...entry, id: `e${index}` }, message }));
  const measured = { ...columns, measures };
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

/** OpenClaw itself, step by step: entries are appended, the context is rebuilt from them whenever its size is asked for. */
class ExactRun {
  readonly context: Tokens[] = [];
  readonly compactions: ExactCompaction[] = [];
  /** Tokens of every summarising call, compaction by compaction. */
  readonly sent: Promise<Tokens>[] = [];
  #session: readonly Placed[] = [];
  readonly #overhead: Tokens;

  constructor(
    private readonly loaded: Loaded,
    private readonly limits: Limits,
    private readonly preset: OpenClawPreset,
  ) {
    const { tokens, columns } = loaded;
    this.#overhead = sum([...tokens.slice(0, columns.overheadRows)]);
    const points = loaded.transcript.requests.map((point) => point.message);
    const all = points.length === 0 ? [loaded.transcript.messages.length] : points;
    let done = 0;
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
    const after = [...this.#session, ...fresh];
    const ended = after.findLastIndex((one) => ["response", "tool"].includes(this.#originOf(one) ?? "")) + 1;
    const isStart = added.slice(this.#lastOfRun(added)).some((one) => this.#startsTurn(one));
    if (isStart && this.#isAbove(request, used, after)) {
      this.#session = this.#compacted(request, "threshold", after, ended, used);
    } else if (this.#sizeOfContext(after) > this.limits.window) {
      this.#session = this.#compacted(request, "overflow", after, after.length, used);
    } else this.#session = after;
    this.context.push(this.#sizeOfContext(this.#session));
  }

  #lastOfRun(entries: readonly Placed[]): number {
    return entries.findLastIndex((one) => this.#originOf(one) === "tool") + 1;
  }

  #isAbove(request: number, used: Tokens, after: readonly Placed[]): boolean {
    const { window, reserveTokens } = this.limits;
    const current = this.preset === "current";
    if (!current) return request > 0 && isAboveThreshold(used, window, { enabled: true, reserveTokens }, false);
    const last = after.findLastIndex((one) => ["response", "tool"].includes(this.#originOf(one) ?? "")) + 1;
    const local =
      request === 0 ? this.#sizeOfContext(after) : sum(this.#messages(after.slice(last)).map(messagePressure));
    return used + Math.ceil(local * PRESSURE_MARGIN) > window - effectiveReserve(window, reserveTokens);
  }

  #compacted(
    request: number,
    trigger: string,
    session: readonly Placed[],
    end: number,
    used: Tokens,
  ): readonly Placed[] {
    const path = withUsage(session.slice(0, end), used);
    const prepared = path.length === 0 ? undefined : prepareCompaction(path, this.limits.keepRecentTokens, this.preset);
    if (prepared === undefined) return session;
    const before = this.#sizeOfContext(session);
    this.sent.push(this.#sentFor({ ...prepared, tokensBefore: before }));
    const entry: SessionEntry = {
      type: "compaction",
      id: `c${request}`,
      summary: SUMMARY,
      firstKeptEntryId: prepared.firstKeptEntryId,
      fromHook: true,
    };
    const next = [...session.slice(0, end), { entry, message: undefined }, ...session.slice(end)];
    const kept = this.#messagesOf(next);
    this.compactions.push({ request, trigger, before, after: this.#sizeOfContext(next), kept });
    return next;
  }

  async #sentFor(prepared: Omit<Parameters<typeof safeguardCompaction>[0], "reserveTokens">): Promise<Tokens> {
    let sent = 0;
    await safeguardCompaction(
      { ...prepared, reserveTokens: this.limits.reserveTokens },
      {
        window: this.limits.window,
        maxHistoryShare: 0.5,
        call: ({ messages, previousSummary }) => {
          const sizes = messages.map((message) => messageTokens(message, this.preset));
          sent += sum(sizes) + Math.ceil((previousSummary?.length ?? 0) / 4);
          return SUMMARY;
        },
      },
    );
    return sent;
  }

  #sizeOfContext(session: readonly Placed[]): Tokens {
    const context = contextOf(
      session.map((one) => one.entry),
      this.preset,
    );
    return this.#overhead + sum(context.map(({ message }) => messageTokens(message, this.preset)));
  }

  #messagesOf(session: readonly Placed[]): readonly number[] {
    const messages = new Map(session.map((one) => [one.entry.id, one.message]));
    const entries = session.map((one) => one.entry);
    const kept = contextOf(entries, this.preset).map(({ entry }) => messages.get(entry.id));
    return [...new Set(kept.filter((message) => message !== undefined))];
  }

  #messages(entries: readonly Placed[]) {
    return entries.map(({ entry }) => messageOfEntry(entry, this.preset)).filter((message) => message !== undefined);
  }

  #sizeOf(entries: readonly Placed[]): Tokens {
    return sum(this.#messages(entries).map((message) => messageTokens(message, this.preset)));
  }

  #startsTurn({ entry }: Placed): boolean {
    return isObject(entry.message) && (entry.message.role === "user" || entry.message.role === "bashExecution");
  }

  #originOf(one: Placed): string | undefined {
    return one.message === undefined ? undefined : this.loaded.transcript.messages[one.message]?.origin;
  }
}

/** The entries with the simulated usage at the last response, and none elsewhere: recorded figures are another run's. */
function withUsage(session: readonly Placed[], used: Tokens): readonly SessionEntry[] {
  const last = session.findLastIndex(({ entry }) => isObject(entry.message) && entry.message.role === "assistant");
  return session.map(({ entry }, index) => {
    if (!isObject(entry.message)) return entry;
    const { usage: _usage, stopReason: _stopReason, api: _api, ...message } = entry.message;
    return { ...entry, message: index === last ? { ...message, usage: { totalTokens: used } } : message };
  });
}

function columnarRun(loaded: Loaded, limits: Limits, preset: OpenClawPreset): Replay {
  const { window, ...given } = limits;
  const specs = openClawPolicy.settings(preset, { window: 1_000_000, agent: "openclaw" });
  const settings = resolveSettings(specs, {
    ...given,
    reserveTokensFloor: 0,
    // So far below that there is no room for it.
    memoryFlushTokens: 1_000_000,
    summaryTokens: SUMMARY_TOKENS,
  });
  return replay(loaded.columns, loaded.tokens, openClawPolicy, settings, { window, counting: "estimate" });
}

/** Compares both layers; gives the number of compactions. */
async function compare(loaded: Loaded, limits: Limits, preset: OpenClawPreset): Promise<number> {
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
  if (preset === "as-documented") {
    expect(run.compactions.map((one) => one.summaryCallTokens)).toEqual(await Promise.all(exact.sent));
  }
  return columnar.length;
}

/** The least windows that are not refused. */
const WINDOW = { "as-documented": 16_000, current: 4_000 } as const;

/** Limits under which a session compacts several times. */
function tightLimits({ tokens }: Loaded, preset: OpenClawPreset, parts: number, keepShare: number): Limits {
  const window = WINDOW[preset];
  const limit = Math.min(window, Math.max(10, Math.floor(sum([...tokens]) / parts)));
  return { window, reserveTokens: window - limit, keepRecentTokens: Math.floor(limit * keepShare) };
}

describe.each(OPENCLAW_PRESETS)("%s", (preset) => {
  let compactions = 0;

  it.each(fixtures)("fixture %s", async (name) => {
    const session = loadFile(`${FOLDER}${name}`, preset);
    for (const parts of [1, 2, 4, 8]) {
      for (const share of [0, 0.1, 0.4, 2]) {
        compactions += await compare(session, tightLimits(session, preset, parts, share), preset);
      }
    }
  });

  it("fixtures compact often enough to tell", () => {
    expect(compactions).toBeGreaterThan(50);
  });

  it("drawn sessions of other agents", async () => {
    let drawn = 0;
    const share = fc.double({ min: 0, max: 0.8, noNaN: true });
    const parts = fc.integer({ min: 1, max: 12 });
    const property = fc.asyncProperty(
      fc.oneof(arbitraryDrawing, arbitraryRuns),
      parts,
      share,
      async (drawing, count, keep) => {
        const session = loadDrawing(drawing, preset);
        if (hasLateResults(session.transcript)) return;
        drawn += await compare(session, tightLimits(session, preset, count, keep), preset);
      },
    );
    await fc.assert(property, { numRuns: 120, seed: 7 });
    expect(drawn).toBeGreaterThan(100);
  });

  describe("recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(recordings)("$file", { timeout: 30_000 }, async ({ path }) => {
      const session = loadFile(path, preset);
      await compare(session, { window: 100_000, reserveTokens: 20_000, keepRecentTokens: 20_000 }, preset);
    });
  });
});

const size = (max: number) => fc.integer({ min: 0, max });
const call = fc.tuple(size(60), size(900)).map(([args, result]) => `| c${args} r${result}`);
const run = fc
  .tuple(fc.option(size(50)), size(300), fc.array(call, { maxLength: 4 }), size(200))
  .map(([extra, user, calls, reply]) => `${extra === null ? "" : `x${extra}`} u${user} ${calls.join(" ")} | a${reply}`);
/** Sessions of some length, as people have them. */
const arbitraryRuns = fc.array(run, { minLength: 3, maxLength: 25 }).map((runs) => runs.join(" "));

/** A result that does not follow its own response may lose its call to a cut, and is dropped with it: see policy.ts. */
function hasLateResults({ messages }: Transcript): boolean {
  let open = new Set<string | undefined>();
  return messages.some((message) => {
    if (message.origin === "tool") return message.blocks.some((block) => !open.has(block.callId));
    open = new Set(message.origin === "response" ? message.blocks.map((block) => block.callId) : []);
    return false;
  });
}
