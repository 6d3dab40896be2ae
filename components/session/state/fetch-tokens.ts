import { ApiError } from "@/lib/api/client";
import { decodeColumns } from "@/lib/core/columns/codec";

/**
 * The columns with the tokens of an estimator that needs the texts: counted by the server, once. Rejects with `ApiError`,
 * or `CodecError` where the columns are of a newer build.
 */
export async function fetchTokenColumn(id: string, estimator: string, signal: AbortSignal): Promise<Int32Array | null> {
  const search = new URLSearchParams({ tokens: estimator });
  const response = await fetch(`/api/sessions/${encodeURIComponent(id)}/columns?${search}`, { signal });
  if (!response.ok) throw new ApiError("problem", response.status, response.statusText, "");
  const columns = decodeColumns(new Uint8Array(await response.arrayBuffer()));
  return columns.tokens[estimator] ?? null;
}
