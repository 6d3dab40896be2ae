import { READERS } from "@/lib/agents/registry";
import { encodeColumns } from "@/lib/core/columns/codec";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { looksLikeDocument, recordsOfDocument } from "@/lib/core/records/document";
import type { SourceRecord } from "@/lib/core/records/fields";
import { NestingError } from "@/lib/core/records/nesting";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { sparklineOf, summarise } from "@/lib/queries/boundaries/summarise";
import { isInputError } from "@/lib/server/base/input-error";
import { decodeUtf8 } from "@/lib/server/read/decode";
import { LineReading } from "@/lib/server/read/feed";
import { Intake } from "@/lib/server/read/intake";
import { unaccounted } from "./accounting";

/**
 * Reads bytes as a server does, up to the data that the page gets, always with the given reader. Returns the errors: an exception, a byte that is not
 * accounted for, or a text that cannot be found again. An `InputError` for bytes that hold no session is right.
 */
export function wrongWith(bytes: Buffer, reader: Reader, seed: number): string | undefined {
  try {
    return read(bytes, reader, seed);
  } catch (error) {
    if (isInputError(error) || error instanceof NestingError) return undefined;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function read(bytes: Buffer, reader: Reader, seed: number): string | undefined {
  const records: SourceRecord[] = [];
  const builder = new TranscriptBuilder({ keepChars: Number.MAX_SAFE_INTEGER, byteLength: Buffer.byteLength });
  const intake = new Intake(builder, "mutated", () => collecting(reader, records));
  const isDocument = readDocument(bytes, intake);
  if (!isDocument) readLines(bytes, intake, 1 + (seed % 5000));
  intake.end();
  const transcript = builder.finish(reader.format, reader.format);
  const columns = columnsFromTranscript(transcript);
  encodeColumns(columns);
  sparklineOf(columns, summarise(transcript, "mutated").contextWindow.tokens);
  sniffed(records);
  const account = isDocument ? undefined : unaccounted(bytes, records, transcript.damaged);
  return account ?? lostText(transcript, records, reader);
}

/** Wraps a reader to collect the records that it receives. */
function collecting(reader: Reader, records: SourceRecord[]): Reader {
  return {
    ...reader,
    parse: (builder) => {
      const parser = reader.parse(builder);
      return {
        record: (record) => {
          records.push(record);
          parser.record(record);
        },
        end: () => parser.end(),
      };
    },
  };
}

function readDocument(bytes: Buffer, intake: Intake): boolean {
  const text = decodeUtf8(bytes);
  const records = looksLikeDocument(text) ? recordsOfDocument(text) : undefined;
  for (const record of records ?? []) intake.record(record);
  return records !== undefined;
}

function readLines(bytes: Buffer, intake: Intake, chunkBytes: number): void {
  const reading = new LineReading(intake, "mutated");
  for (let at = 0; at < bytes.length; at += chunkBytes) reading.push(bytes.subarray(at, at + chunkBytes));
  reading.end();
}

/** Asks every reader whether the file is its own. Two readers may accept a file with lines of two agents. */
function sniffed(records: readonly SourceRecord[]): void {
  const head = records.slice(0, 50).map(({ value }) => value);
  for (const reader of READERS) reader.sniff(head);
}

/** Checks the texts that the page would load: each text held by reference must be found again, with its measured size. */
function lostText({ list }: Transcript, records: readonly SourceRecord[], reader: Reader): string | undefined {
  const texts = new Map(records.map((record) => [record.offset, record] as const));
  const loaded = new Map<number, readonly string[]>();
  for (let row = 0; row < list.blocks.length; row++) {
    const { source, text, kind } = list.blocks.block(row);
    const record = texts.get(source.offset);
    if (record === undefined) return `no record at ${source.offset}`;
    const found = loaded.get(source.offset) ?? reader.texts(record.value);
    loaded.set(source.offset, found);
    const value = found[source.part];
    if (value === undefined) return `no text of part ${source.part} in line ${source.line}`;
    if (text.value !== undefined && text.value !== value) return `another text of a ${kind} in line ${source.line}`;
  }
  return undefined;
}
