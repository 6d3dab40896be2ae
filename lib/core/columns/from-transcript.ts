import { NameTable } from "../base/name-table";
import type { ExtraRequest, Transcript } from "../transcript/model";
import { boundaryColumns } from "./boundary-columns";
import { COLUMNS_VERSION, type SessionColumns } from "./columns";
import { extraColumns, requestColumns } from "./request-columns";
import { RowWriter } from "./rows";
import { TermsTable } from "./terms-table";

/**
 * Flattens a transcript into columns, without token columns. First come the overhead rows (what the file records, then one inferred row, which is
 * always there and may stay empty), then one row per block in the order of the messages.
 * @param extraRequests all of them, where files beside the session's own hold further ones
 */
export function columnsFromTranscript(
  transcript: Transcript,
  extraRequests: readonly ExtraRequest[] = transcript.extraRequests,
): SessionColumns {
  const { list } = transcript;
  const overheadRows = transcript.overhead.length + 1;
  const length = overheadRows + list.blocks.length;
  const writer = new RowWriter(list, overheadRows);
  transcript.overhead.forEach((entry, row) => writer.overhead(row, entry));
  writer.inferredOverhead(overheadRows - 1);
  writer.messages();
  const models = new NameTable();
  const terms = new TermsTable();
  const requests = requestColumns(transcript, overheadRows, models, terms);
  const extra = extraColumns({ list, extraRequests }, overheadRows, models, terms);
  const { at, bytes, chars, message, turn, tool, file, line, pair, category, kind, role, origin, flags } = writer.rows;
  return {
    version: COLUMNS_VERSION,
    length,
    overheadRows,
    tokens: {},
    measures: {},
    bytes,
    chars,
    category,
    kind,
    role,
    origin,
    flags,
    message,
    turn,
    pair,
    tool,
    file,
    line,
    at,
    requests,
    boundaries: boundaryColumns(transcript, overheadRows, requests),
    extra,
    tables: {
      tools: writer.tools.names,
      files: writer.files.names,
      models: models.names,
      terms: terms.rows,
      overhead: [...transcript.overhead.map((entry) => entry.name), ""],
    },
  };
}
