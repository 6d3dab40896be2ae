import { readerOf, sniffReader } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import { assertDefined } from "@/lib/core/base/assert";
import { range, sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { LIMITS } from "@/lib/server/base/limits";
import { measuringPass } from "@/lib/server/read/numbers/count-items";
import { readRecords, readTranscript } from "./read";
import type { RecordingSource } from "./recording-sources";

/** A recording for an agent's two layers: its numbers, and the texts behind them. */
export interface LoadedRecording {
  readonly name: string;
  /** The file; absent for a generated recording. */
  readonly source?: RecordingSource;
  readonly format: string;
  /** The agent that wrote it; `null` for the general formats. */
  readonly agent: string | null;
  readonly transcript: Transcript;
  /** The columns, with the agent's measures. */
  readonly columns: SessionColumns;
  /** Tokens of every row by the agent's estimator, including the inferred overhead. */
  readonly tokens: Int32Array;
  /** Tokens of the overhead rows together. */
  readonly overhead: Tokens;
  /** The contents of a message's blocks, in order. */
  readonly contents: (message: number) => readonly BlockContent[];
  /** The rows of a message, one for each block. */
  readonly rowsOf: (message: number) => readonly ItemIndex[];
}

/**
 * Reads a source with the product's own reader, and counts it by an agent's estimator as the server does. Throws if no reader recognises it.
 */
export function loadRecording(
  source: RecordingSource,
  estimator: ItemEstimator,
  measures?: MessageMeasures,
): LoadedRecording {
  const { transcript, contents, reader } = open(source);
  const { name } = source;
  return countedRecording({ name, source, format: reader.format, transcript, contents }, estimator, measures);
}

type UncountedRecording = Pick<LoadedRecording, "name" | "source" | "format" | "transcript" | "contents">;

/** A transcript with its texts, counted by an agent's estimator. */
export function countedRecording(
  { name, source, format, transcript, contents }: UncountedRecording,
  estimator: ItemEstimator,
  measures?: MessageMeasures,
): LoadedRecording {
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const perItem = new Int32Array(columns.length);
  const measuring = measures === undefined ? undefined : measuringPass(transcript, measures);
  transcript.overhead.forEach(({ text }, row) => {
    perItem[row] = estimator.text(text.value ?? "");
  });
  transcript.messages.forEach((message, index) => {
    const texts = contents(index);
    const start = starts[index] ?? 0;
    perItem.set(estimator.blocks(message, texts, format), start);
    measuring?.message(message, texts, start);
  });
  const tokens = tokenColumn(columns, perItem);
  return {
    name,
    ...(source === undefined ? {} : { source }),
    format,
    agent: transcript.agent,
    transcript,
    columns: { ...columns, measures: measuring?.result() ?? {} },
    tokens,
    overhead: sumOf(tokens.subarray(0, columns.overheadRows)),
    contents,
    rowsOf: (message) => range(starts[message] ?? 0, starts[message + 1] ?? 0),
  };
}

/** The format that a source is read as. Throws if no reader recognises it. */
export function formatOfSource(source: RecordingSource): string {
  return open(source).reader.format;
}

/** A file that was read, before any agent's rules are applied to it. */
interface OpenedSource {
  readonly source: RecordingSource;
  readonly reader: Reader;
  readonly transcript: Transcript;
  readonly contents: (message: number) => readonly BlockContent[];
}

/** Kept, since all agents check the same recording in turn. */
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

/** Gives a record and its texts by its offset in the file, and caches them. */
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

/** Unanswered calls; of several with one id, only the first is open. */
export function openCalls({ transcript, rowsOf }: LoadedRecording): ReadonlySet<ItemIndex> {
  const seen = new Set<string>();
  for (const { blocks, recordedOnly } of transcript.messages)
    for (const { kind, callId } of recordedOnly === true ? [] : blocks)
      if (kind === "tool_result" && callId !== undefined) seen.add(callId);
  const open = new Set<ItemIndex>();
  transcript.messages.forEach(({ blocks, recordedOnly }, index) => {
    if (recordedOnly === true) return;
    blocks.forEach(({ kind, callId }, at) => {
      const row = rowsOf(index)[at];
      if (kind !== "tool_call" || callId === undefined || row === undefined || seen.has(callId)) return;
      seen.add(callId);
      open.add(row);
    });
  });
  return open;
}

/** First row of every message, and at the end one more entry: the number of rows. */
export function messageStarts(messages: readonly Message[], overheadRows: number): Int32Array {
  const starts = new Int32Array(messages.length + 1);
  let row = overheadRows;
  messages.forEach((message, index) => {
    starts[index] = row;
    row += message.blocks.length;
  });
  starts[messages.length] = row;
  return starts;
}
