import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { LIMITS } from "@/lib/server/ingest/limits";
import { READERS, readerOf, sniffReader } from "../readers";
import { readRecords, readTranscript } from "./read";

/**
 * The cross-check of the two layers: an agent's exact rules over its own messages against its policy over numbers, on any
 * recording. What is here is the same for every agent; `lib/agents/<agent>/testing/cross-check.ts` drives that agent's rules.
 */

/** A session file of any format. */
export interface RecordingSource {
  /** `FOLDER/FILE`. */
  readonly name: string;
  readonly bytes: () => Uint8Array;
  /** The format to read it as; without it the content decides. */
  readonly format?: string;
}

/** A recording as an agent's two layers need it: the numbers, and the texts behind them. */
export interface LoadedRecording {
  readonly name: string;
  readonly format: string;
  /** The agent that wrote it; `null` for formats that are nobody's. */
  readonly agent: string | null;
  readonly transcript: Transcript;
  /** With the agent's measures. */
  readonly columns: SessionColumns;
  /** By the agent's estimator, inferred overhead included. */
  readonly tokens: Int32Array;
  /** Tokens of the overhead rows. */
  readonly overhead: Tokens;
  /** The blocks' contents of a message, in their order. */
  readonly contents: (message: number) => readonly BlockContent[];
  /** The rows of a message, one a block. */
  readonly rowsOf: (message: number) => readonly ItemIndex[];
}

/** An agent's measures: by name, one number a block of a message. */
type Measures = (
  message: Message,
  contents: readonly BlockContent[],
  format: string,
) => Readonly<Record<string, readonly number[]>>;

/** A difference that has to be, and how far it went. */
export interface AllowedDifference {
  /** Why, in a few words: the same words wherever it is the same reason. */
  readonly reason: string;
  /** Figures that differed for it. */
  readonly places: number;
  /** The largest. */
  readonly most: Tokens;
}

/** One preset and choice of settings on one recording. */
export interface CrossCheckRun {
  readonly preset: string;
  /** The choice of settings. */
  readonly label: string;
  /** Compactions that were compared. */
  readonly compactions: number;
  /** What differs, one sentence each, figures only; empty where the layers agree. */
  readonly differences: readonly string[];
  readonly allowed?: readonly AllowedDifference[];
  /** How often something was met that a run has to meet to say anything of it, by name. */
  readonly met?: Readonly<Record<string, number>>;
}

/** Runs an agent's two layers over a recording. */
export type CrossCheck = (source: RecordingSource) => readonly CrossCheckRun[] | Promise<readonly CrossCheckRun[]>;

// By the folder of the program: a benchmark is bundled elsewhere.
const AGENTS = join(process.cwd(), "lib", "agents");
const RECORDINGS = join(process.cwd(), "..", "shared", "transcripts");
const IS_SESSION = /\.jsonl?$/;

/** The fixtures of these formats; of all formats without any. */
export function fixtureSources(formats: readonly string[] = Object.keys(READERS)): readonly RecordingSource[] {
  return formats.flatMap((format) =>
    sourcesIn(join(AGENTS, format, "fixtures")).map((source) => ({
      ...source,
      name: `${format}/${source.name}`,
      format,
    })),
  );
}

/** Every recording and every fixture of another tool beside the project; none where the folder is absent. */
export function recordingSources(): readonly RecordingSource[] {
  if (!existsSync(RECORDINGS)) return [];
  const folders = readdirSync(RECORDINGS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) =>
    sourcesIn(join(RECORDINGS, name)).map((source) => ({ ...source, name: `${name}/${source.name}` })),
  );
}

function sourcesIn(folder: string): readonly RecordingSource[] {
  return readdirSync(folder)
    .filter((name) => IS_SESSION.test(name))
    .map((name) => ({ name, bytes: () => readFileSync(join(folder, name)) }));
}

/** The format that a source is read as. Throws where no reader recognises it. */
export function formatOfSource(source: RecordingSource): string {
  return open(source).reader.format;
}

/** Some of the sources, drawn by a seed: the same ones every time. */
export function drawnSources(sources: readonly RecordingSource[], count: number, seed: number): RecordingSource[] {
  const left = [...sources];
  const drawn: RecordingSource[] = [];
  for (let state = seed; drawn.length < count && left.length > 0; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    drawn.push(...left.splice(Math.floor((state / 2 ** 32) * left.length), 1));
  }
  return drawn;
}

/** A file that was read, whatever agent's rules will look at it. */
interface OpenedSource {
  readonly source: RecordingSource;
  readonly reader: Reader;
  readonly transcript: Transcript;
  readonly contents: (message: number) => readonly BlockContent[];
}

/** The last one: all agents look at a recording in turn. */
let lastOpened: OpenedSource | undefined;

function open(source: RecordingSource): OpenedSource {
  if (lastOpened?.source === source) return lastOpened;
  const bytes = source.bytes();
  const records = readRecords(bytes);
  const head = records.slice(0, LIMITS.sniffRecords).map(({ value }) => value);
  const found = source.format === undefined ? sniffReader(head) : readerOf(source.format);
  const reader = assertDefined(found, `a reader of ${source.name}`);
  const transcript = readTranscript(bytes, reader);
  const texts = textsByOffset(records, reader);
  const contents = (message: number) =>
    assertDefined(transcript.messages[message], "the message").blocks.map(({ source: place }) => {
      const { record, parts } = texts(place.offset);
      return { record, text: assertDefined(parts[place.part], "the block's text") };
    });
  lastOpened = { source, reader, transcript, contents };
  return lastOpened;
}

/** A record and its texts by its place in the file; those that were asked for are kept. */
function textsByOffset(records: ReturnType<typeof readRecords>, reader: Reader) {
  const byOffset = new Map(records.map(({ offset, value }) => [offset, value]));
  const known = new Map<number, { record: Readonly<Record<string, unknown>>; parts: readonly string[] }>();
  return (offset: number) => {
    const record = assertDefined(byOffset.get(offset), "the block's record");
    const entry = known.get(offset) ?? { record, parts: reader.texts(record) };
    known.set(offset, entry);
    return entry;
  };
}

/**
 * Reads a source with the product's own reader and counts it by an agent's estimator, as the server does. Throws where no
 * reader recognises it.
 */
export function loadRecording(source: RecordingSource, estimator: ItemEstimator, measures?: Measures): LoadedRecording {
  const { transcript, contents, reader } = open(source);
  return countedRecording({ name: source.name, format: reader.format, transcript, contents }, estimator, measures);
}

/** A transcript with its texts, counted by an agent's estimator. */
export function countedRecording(
  { name, format, transcript, contents }: Pick<LoadedRecording, "name" | "format" | "transcript" | "contents">,
  estimator: ItemEstimator,
  measures?: Measures,
): LoadedRecording {
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const perItem = new Int32Array(columns.length);
  const measured = new Map<string, Int32Array>();
  transcript.overhead.forEach(({ text }, row) => {
    perItem[row] = estimator.text(text.value ?? "");
  });
  transcript.messages.forEach((message, index) => {
    const texts = contents(index);
    const start = starts[index] ?? 0;
    perItem.set(estimator.blocks(message, texts, format), start);
    for (const [name, values] of Object.entries(measures?.(message, texts, format) ?? {})) {
      const column = measured.get(name) ?? new Int32Array(columns.length);
      measured.set(name, column);
      column.set(values, start);
    }
  });
  const tokens = tokenColumn(columns, perItem);
  return {
    name,
    format,
    agent: transcript.agent,
    transcript,
    columns: { ...columns, measures: Object.fromEntries(measured) },
    tokens,
    overhead: sumOf(tokens.subarray(0, columns.overheadRows)),
    contents,
    rowsOf: (message) => range(starts[message] ?? 0, starts[message + 1] ?? 0),
  };
}

/** What happens before a request, in messages of the trajectory: those that only a recorded compaction put there are left out. */
export interface Step {
  readonly request: RequestIndex;
  /** Messages of the response before. */
  readonly response: readonly number[];
  /** What came after it. */
  readonly added: readonly number[];
  /** Whether a person typed one of them. */
  readonly turnStart: boolean;
  /** Messages that leave after those have entered: a person took them back. */
  readonly takenBack: readonly number[];
}

/** The steps of a recording, one a request. Written over messages, apart from the engine's own walk over rows. */
export function stepsOf({ transcript }: LoadedRecording): readonly Step[] {
  const { messages, requests } = transcript;
  const ends = requests.length === 0 ? [messages.length] : requests.map(({ message }) => message);
  const taken = takenBack(transcript, ends);
  return ends.map((end, request) => {
    const from = ends[request - 1] ?? 0;
    const entering = range(from, end).filter((index) => messages[index]?.recordedOnly !== true);
    const isBehind = (index: number) => messages[index]?.origin !== "response";
    const first = request === 0 ? 0 : entering.findIndex(isBehind);
    const cut = first < 0 ? entering.length : first;
    return {
      request,
      response: entering.slice(0, cut),
      added: entering.slice(cut),
      turnStart: entering.some((index) => messages[index]?.origin === "typed"),
      takenBack: taken.get(request) ?? [],
    };
  });
}

/** Messages that a recorded rollback took out of the recorded context, by the request before which it happened. */
function takenBack({ boundaries }: Transcript, ends: readonly number[]): ReadonlyMap<RequestIndex, readonly number[]> {
  const taken = new Map<RequestIndex, number[]>();
  let live: { readonly head: readonly number[]; readonly from: number } = { head: [], from: 0 };
  for (const { kind, message, kept } of boundaries) {
    if (kind === "clearing") continue;
    const stays = new Set(kept);
    const gone = [...live.head, ...range(live.from, message)].filter((index) => !stays.has(index));
    live = { head: kept, from: Math.max(live.from, message) };
    if (kind !== "rollback") continue;
    const next = ends.findIndex((end) => end >= message);
    const request = next < 0 ? ends.length : next;
    taken.set(request, [...(taken.get(request) ?? []), ...gone]);
  }
  return taken;
}

/** From how much below to how much above a size may be. */
export type Span = readonly [least: Tokens, most: Tokens];

/** Collects what differs between the layers in one run. */
export class Comparison {
  readonly #differences: string[] = [];
  readonly #allowed = new Map<string, { places: number; most: Tokens }>();
  readonly #met = new Map<string, number>();
  #compactions = 0;

  /** Notes what was met: a route that was taken, an output that was cut. */
  met(what: string, times = 1): void {
    if (times > 0) this.#met.set(what, times + (this.#met.get(what) ?? 0));
  }

  /** Notes a compaction that both layers made. */
  compared(): void {
    this.#compactions += 1;
  }

  /** What must be the same: numbers, and lists of them. */
  same(where: string, got: number | string | readonly number[], exact: number | string | readonly number[]): void {
    const [a, b] = [got, exact].map((value) => (Array.isArray(value) ? value.join(" ") : String(value)));
    if (a !== b) this.#differences.push(`${where}: numbers ${shortened(a, b)}`);
  }

  /** A size that may differ, for a reason: by how much at least and at most. */
  close(where: string, got: Tokens, exact: Tokens, [least, most]: Span, reason: string): void {
    const by = got - exact;
    if (by === 0) return;
    if (by >= least && by <= most) this.allow(reason, Math.abs(by));
    else this.#differences.push(`${where}: numbers ${got}, exact ${exact}, allowed ${least} to ${most}`);
  }

  /** Notes a difference that has to be. */
  allow(reason: string, by: Tokens): void {
    const known = this.#allowed.get(reason) ?? { places: 0, most: 0 };
    this.#allowed.set(reason, { places: known.places + 1, most: Math.max(known.most, by) });
  }

  differs(sentence: string): void {
    this.#differences.push(sentence);
  }

  /** Whether anything differed: what comes after the first difference follows from it. */
  get failed(): boolean {
    return this.#differences.length > 0;
  }

  run(preset: string, label: string): CrossCheckRun {
    return {
      preset,
      label,
      compactions: this.#compactions,
      differences: this.#differences,
      allowed: [...this.#allowed].map(([reason, { places, most }]) => ({ reason, places, most })),
      met: Object.fromEntries(this.#met),
    };
  }
}

/** Two lists as far as they differ. */
function shortened(a = "", b = ""): string {
  const [left, right] = [a.split(" "), b.split(" ")];
  const first = left.findIndex((word, index) => word !== right[index]);
  const at = first < 0 ? left.length : first;
  const part = (words: readonly string[]) => `[${words.length}] ${words.slice(at, at + 4).join(" ")}`;
  return left.length === 1 && right.length === 1 ? `${a}, exact ${b}` : `${part(left)} …, exact ${part(right)} …`;
}

/** What a run's results say together: for a test that asserts that it said something. */
export function compactionsOf(runs: readonly CrossCheckRun[]): number {
  return sumOf(runs.map(({ compactions }) => compactions));
}

/** What runs met, and how often. */
export function metIn(runs: readonly CrossCheckRun[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [what, times] of runs.flatMap(({ met = {} }) => Object.entries(met)))
    all.set(what, times + (all.get(what) ?? 0));
  return all;
}

/** The differences of runs, with what they were found in. */
export function differencesOf(runs: readonly CrossCheckRun[]): readonly string[] {
  return runs.flatMap(({ preset, label, differences }) => differences.map((text) => `${preset}, ${label}: ${text}`));
}

export function sumOf(numbers: Iterable<number>): number {
  let total = 0;
  for (const value of numbers) total += value;
  return total;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
