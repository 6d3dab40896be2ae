import { ApiError } from "@/lib/api/client";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";

/** What the server computes from the texts, on first use: an estimator's tokens, a policy's measures. */
interface WantedColumns {
  readonly tokens?: string;
  readonly measures?: string;
}

/** The columns with what is wanted beside. Rejects with `ApiError`, or `CodecError` where they are of a newer build. */
export async function fetchColumns(id: string, wanted: WantedColumns, signal: AbortSignal): Promise<SessionColumns> {
  const search = new URLSearchParams({ ...wanted });
  const response = await fetch(`/api/sessions/${encodeURIComponent(id)}/columns?${search}`, { signal });
  if (!response.ok) throw new ApiError("problem", response.status, response.statusText, "");
  return decodeColumns(new Uint8Array(await response.arrayBuffer()));
}
