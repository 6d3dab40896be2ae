import type { ServerResponse } from "node:http";
import { type Encoding, pack } from "../base/packing";

/** The best compression that the client accepts. */
export function encodingFor(header: string | null): Encoding {
  const accepted = new Map((header ?? "").split(",").map(parsePart));
  const takes = (name: string) => (accepted.get(name) ?? accepted.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

function parsePart(part: string): [name: string, weight: number] {
  const [name = "", ...rest] = part.split(";").map((piece) => piece.trim().toLowerCase());
  const weight = rest.find((piece) => piece.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}

/** True if the client already has this state, by a weak or a strong tag. */
export function matchesTag(header: string | null, tag: string): boolean {
  const given = (header ?? "").split(",").map((part) => part.trim().replace(/^W\//, ""));
  return given.includes("*") || given.includes(tag);
}

/** Carries a body's encoding and length from a route to the server below it. Never sent. */
const HEADER = "x-context-replay-packed";

/**
 * Headers of a packed body. Next removes `Content-Encoding` and `Content-Length` from every route's answer. So they travel under another name, and
 * `restorePacked` restores them.
 */
export function packedHeaders(encoding: Encoding, length: number): Readonly<Record<string, string>> {
  return { [HEADER]: `${encoding} ${length}` };
}

/** Restores the headers of a packed body in a route's answer. Call it for every response that is passed to Next. */
export function restorePacked(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== HEADER) return setHeader(name, value);
    const [encoding = "identity", length = ""] = String(value).split(" ");
    if (encoding !== "identity") setHeader("Content-Encoding", encoding);
    return setHeader("Content-Length", length);
  };
}

/** Smaller answers fit into one packet unpacked. */
const MIN_BYTES = 1024;

/**
 * Compresses a JSON answer, or an interpreter's code, in the best way that the client accepts. Other answers stay unchanged: event streams, files
 * that are made part by part, and bodies that the route has packed.
 */
export async function packedAnswer(request: Request, response: Response): Promise<Response> {
  const { headers: given, body } = response;
  const isWorthIt = /^application\/(?:(?:problem\+)?json|wasm)/.test(given.get("content-type") ?? "");
  if (!isWorthIt || body === null || given.has("content-disposition")) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const encoding = bytes.length < MIN_BYTES ? "identity" : encodingFor(request.headers.get("accept-encoding"));
  const packed = await pack(bytes, encoding);
  const headers = new Headers({ ...Object.fromEntries(response.headers), ...packedHeaders(encoding, packed.length) });
  headers.append("Vary", "Accept-Encoding");
  return new Response(packed, { status: response.status, headers });
}
