import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { decodeDelta, isDelta, sameItems, withDelta } from "@/lib/core/columns/delta";
import { getColumns } from "@/lib/queries/client/client";

/** The columns that the page shows, and their version of the session's file. */
export interface HeldColumns {
  readonly version: string;
  /** Includes the tokens of estimators and the measures that were loaded with them. */
  readonly columns: SessionColumns;
  /** Names of the measures that were loaded with the columns. */
  readonly measured: readonly string[];
  /** Incremented if existing items changed: their loaded texts are outdated. */
  readonly texts: number;
}

/** Key of the query that holds them. */
export const columnsKey = (id: string) => ["session", id, "columns"] as const;

/** The current columns of the file, counted by the recording's own agent. Rejects with `ApiError` and `CodecError`. */
export async function loadColumns(id: string, signal?: AbortSignal): Promise<HeldColumns> {
  const { version, bytes } = await getColumns(id, { tokens: "own" }, signal);
  return { version, columns: decodeColumns(bytes), measured: [], texts: 0 };
}

/** The columns of exactly that version with further tokens and measures; `undefined` if the server no longer has that version. */
export async function furtherColumns(
  id: string,
  version: string,
  wanted: { readonly tokens: string } | { readonly measures: string },
  signal: AbortSignal,
): Promise<SessionColumns | undefined> {
  const answer = await getColumns(id, { ...wanted, at: version }, signal);
  return answer.version === version ? decodeColumns(answer.bytes) : undefined;
}

/** The file's current columns, with all earlier tokens and measures. Fetches only changes. Rejects with `ApiError` and `CodecError`. */
export async function updatedColumns(id: string, held: HeldColumns): Promise<HeldColumns> {
  const { columns: before, measured } = held;
  const wanted = { tokens: Object.keys(before.tokens).join(","), measures: measured.join(",") };
  const { version, bytes } = await getColumns(id, { ...wanted, since: held.version });
  if (version === held.version) return held;
  const columns = isDelta(bytes) ? withDelta(before, decodeDelta(bytes)) : decodeColumns(bytes);
  const isSame = sameItems(before, columns) === before.length;
  return { version, columns, measured, texts: isSame ? held.texts : held.texts + 1 };
}
