import { assertDefined } from "@/lib/core/base/assert";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { readRecords, readTranscript } from "../../testing/read";
import { clawdcodeMeasures } from "../estimator";
import { type NativeMessage, toNative } from "../native";

/** For tests: a recording in both layers. */
export interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  /** ClawdCode's messages of each of ours, with the columns' rows that they stand in. */
  readonly natives: readonly (readonly (NativeMessage & { readonly rows: readonly number[] })[])[];
}

/** Loads a file's bytes: tokens and measures as the server computes them. */
export function load(bytes: Uint8Array, reader: Reader, estimator: ItemEstimator): Loaded {
  const transcript = readTranscript(bytes, reader);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const withoutCallId = new Int32Array(columns.length);
  const natives = transcript.messages.map((message, index) => {
    const contents = contentsOf(message, records, reader);
    const start = starts[index] ?? 0;
    tokens.set(estimator.blocks(message, contents, reader.format), start);
    withoutCallId.set(clawdcodeMeasures(message)["clawdcode.withoutCallId"], start);
    return toNative(message, contents).map((native) => ({
      ...native,
      rows: native.blocks.map((block) => start + block),
    }));
  });
  return {
    transcript,
    columns: { ...columns, measures: { "clawdcode.withoutCallId": withoutCallId } },
    tokens,
    natives,
  };
}

type Records = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

function contentsOf(message: Message, records: Records, reader: Reader): BlockContent[] {
  return message.blocks.map((block) => {
    const record = assertDefined(records.get(block.source.offset), "the block's record");
    return { record, text: reader.texts(record)[block.source.part] ?? "" };
  });
}

/** Sum over numbers. */
export function sum(numbers: Iterable<number>): Tokens {
  let total = 0;
  for (const value of numbers) total += value;
  return total;
}
