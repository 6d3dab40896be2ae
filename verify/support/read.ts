import { agentOfFormat } from "@/lib/agents/agents";
import { DOCUMENT_LISTS } from "@/lib/agents/registry";
import { looksLikeDocument, recordsOfDocument } from "@/lib/core/records/document";
import type { SourceRecord } from "@/lib/core/records/fields";
import { RecordKinds } from "@/lib/core/records/intact-record";
import { LineSplitter, recordsOfLine } from "@/lib/core/records/jsonl";
import type { Damage } from "@/lib/core/records/problem";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";

/** For tests: options for reading a file's bytes. The whole file is in memory, and every text is kept. */
export interface ReadOptions {
  /** Bytes in each chunk; if absent, the whole file is one chunk. */
  readonly chunk?: number;
  readonly maxLineBytes?: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The transcript of a file's bytes, which are lines or one document; every text is kept. */
export function readTranscript(bytes: Uint8Array, reader: Reader, options: ReadOptions = {}): Transcript {
  const builder = new TranscriptBuilder({
    keepChars: Number.MAX_SAFE_INTEGER,
    byteLength: (text) => utf8.encode(text).length,
  });
  const parser = reader.parse(builder);
  eachRecord(
    bytes,
    options,
    (record) => parser.record(record),
    (damage) => builder.damagedLine(damage),
  );
  parser.end();
  return builder.finish(reader.format, agentOfFormat(reader.format));
}

/** The records of a file's bytes, without damaged lines. */
export function readRecords(bytes: Uint8Array): readonly SourceRecord[] {
  const records: SourceRecord[] = [];
  eachRecord(
    bytes,
    {},
    (record) => records.push(record),
    () => undefined,
  );
  return records;
}

/** Both the transcript and the records of a file. */
export function readFile(
  bytes: Uint8Array,
  reader: Reader,
): { readonly transcript: Transcript; readonly records: readonly SourceRecord[] } {
  return { transcript: readTranscript(bytes, reader), records: readRecords(bytes) };
}

const utf8 = new TextEncoder();

/** The transcript of records that were changed after they had been read. */
export function transcriptOf(records: readonly SourceRecord[], reader: Reader): Transcript {
  const builder = new TranscriptBuilder({ keepChars: 1000, byteLength: (text) => utf8.encode(text).length });
  const parser = reader.parse(builder);
  for (const record of records) parser.record(record);
  parser.end();
  return builder.finish(reader.format, agentOfFormat(reader.format));
}

function eachRecord(
  bytes: Uint8Array,
  options: ReadOptions,
  onRecord: (record: SourceRecord) => void,
  onDamage: (damage: Damage) => void,
): void {
  const text = decoder.decode(bytes);
  const document = looksLikeDocument(text, DOCUMENT_LISTS) ? recordsOfDocument(text, DOCUMENT_LISTS) : undefined;
  if (document !== undefined) {
    for (const record of document) onRecord(record);
    return;
  }
  const kinds = new RecordKinds();
  const splitter = new LineSplitter({
    decode: (line) => decoder.decode(line),
    maxLineBytes: options.maxLineBytes ?? 256 * 1024 * 1024,
    onLine: (line, bytes) => {
      const { records, damage } = recordsOfLine(line, bytes, kinds);
      for (const record of records) onRecord(record);
      if (damage !== undefined) onDamage(damage);
    },
    onTooLong: onDamage,
  });
  const step = options.chunk ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) splitter.push(bytes.subarray(at, at + step));
  splitter.end();
}
