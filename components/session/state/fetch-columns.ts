import { ApiError } from "@/lib/api/client";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";

/** What the server computes from the texts on first use: an estimator's tokens, a policy's measures. */
interface WantedColumns {
  readonly tokens?: string;
  readonly measures?: string;
}

/** Fetches the columns along with what else is wanted. Rejects with `ApiError`, or with `CodecError` where a newer build wrote the columns. */
export async function fetchColumns(id: string, wanted: WantedColumns, signal: AbortSignal): Promise<SessionColumns> {
  const search = new URLSearchParams({ ...wanted });
  const response = await fetch(`/api/sessions/${encodeURIComponent(id)}/columns?${search}`, { signal });
  if (!response.ok) throw new ApiError("problem", response.status, response.statusText, "");
  return decodeColumns(new Uint8Array(await response.arrayBuffer()));
}
