import { VERSION_HEADER } from "@/lib/queries/contract/routes";
import type { Encoding, Packed } from "../base/packing";
import { versionKey } from "../read/source-file";
import type { AppServer } from "../server";
import { wantedBy, wantedKey } from "../sessions/wanted-columns";
import { encodingFor, matchesTag, packedHeaders } from "./packed";

/**
 * The encoded columns of a session. If the client already has them, the answer is 304 without reading anything: the tag consists of the file's
 * version, the program's build and the requested token columns. For a version that is still held, the client may request further columns (`at`), or a
 * delta to columns that it has (`since`).
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
  const at = query.get("at");
  const held = at === null ? undefined : server.store.heldColumns(id, at, wanted, encoding);
  if (held !== undefined && at !== null)
    return octets(server, await held, encoding, { [VERSION_HEADER]: at, "Cache-Control": "no-store" });
  const version = { [VERSION_HEADER]: versionKey(entry.version) };
  const since = query.get("since");
  // Nothing has changed, even if that version is no longer held.
  if (since === versionKey(entry.version)) return new Response(null, { status: 204, headers: version });
  const delta = since === null ? undefined : await server.store.delta(entry, since, wanted, encoding);
  if (delta !== undefined) return octets(server, delta, encoding, { ...version, "Cache-Control": "no-store" });
  const headers = { ...version, ETag: tag, Vary: "Accept-Encoding", "Cache-Control": "private, no-cache" };
  if (matchesTag(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const body = await server.store.columns(entry, wanted, encoding);
  return octets(server, body, encoding, headers);
}

function octets({ config }: AppServer, body: Packed, encoding: Encoding, headers: Record<string, string>) {
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": "application/octet-stream",
      ...(config.packs ? packedHeaders(encoding, body.length) : {}),
    },
  });
}
