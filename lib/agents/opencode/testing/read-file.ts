import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { SourceRecord } from "@/lib/core/transcript/reader";
import { readRecords, readTranscript } from "../../testing/read";
import { opencodeReader } from "../reader";

export interface ReadFile {
  readonly transcript: Transcript;
  readonly records: readonly SourceRecord[];
}

/** For tests: a file of either form. A document is one record that is the whole file. */
export function readFile(bytes: Uint8Array): ReadFile {
  const document = documentOf(bytes);
  if (document === undefined) {
    return { transcript: readTranscript(bytes, opencodeReader), records: readRecords(bytes) };
  }
  const builder = new TranscriptBuilder({ keepChars: Number.MAX_SAFE_INTEGER, byteLength: Buffer.byteLength });
  const parser = opencodeReader.parse(builder);
  parser.record(document);
  parser.end();
  return { transcript: builder.finish(opencodeReader.format, opencodeReader.format), records: [document] };
}

function documentOf(bytes: Uint8Array): SourceRecord | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    const isDocument = typeof value === "object" && value !== null && !Array.isArray(value);
    // Checked on the line above: an object.
    return isDocument
      ? { value: value as Readonly<Record<string, unknown>>, line: 1, offset: 0, length: bytes.length }
      : undefined;
  } catch {
    // Not one JSON value: lines.
    return undefined;
  }
}
