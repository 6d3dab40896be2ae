import { requireEstimator } from "../estimators";
import { versionKey } from "../ingest/source-file";
import { hasMeasures } from "../measures";
import type { AppServer } from "../server";
import { OWN, type WantedColumns, wantedKey } from "../session-store";
import { encodingFor, matchesTag } from "./negotiate";
import { packedHeaders } from "./packed";

/**
 * The encoded columns of a session. If the caller already has them, the answer says so without reading anything: the tag consists of the file's
 * version, the program's build and the token columns that are wanted.
 */
export async function columnsResponse(
  request: Request,
  server: AppServer,
  id: string,
  query: URLSearchParams,
): Promise<Response> {
  const wanted = wantedBy(query);
  const entry = await server.catalog.get(id);
  const encoding = server.config.packs ? encodingFor(request.headers.get("accept-encoding")) : "identity";
  const tag = `"${[server.build, versionKey(entry.version), wantedKey(wanted), encoding].join(".")}"`;
  const headers = { ETag: tag, Vary: "Accept-Encoding", "Cache-Control": "private, no-cache" };
  if (matchesTag(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const body = await server.store.columns(entry, wanted, encoding);
  return new Response(new Blob([new Uint8Array(body)]).stream(), {
    headers: {
      ...headers,
      "Content-Type": "application/octet-stream",
      ...(server.config.packs ? packedHeaders(encoding, body.length) : {}),
    },
  });
}

/** The columns that are wanted, each once, in a fixed order. Throws `UnknownEstimatorError`. */
function wantedBy(query: URLSearchParams): WantedColumns {
  const estimators = listOf(query.get("tokens"));
  for (const id of estimators) if (id !== OWN) requireEstimator(id);
  // A policy without measures of its own asks for nothing.
  return { estimators, policies: listOf(query.get("measures")).filter(hasMeasures) };
}

function listOf(text: string | null): string[] {
  return [...new Set((text ?? "").split(","))].filter((id) => id !== "").sort();
}
