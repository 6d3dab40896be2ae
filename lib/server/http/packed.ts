import type { ServerResponse } from "node:http";
import type { Encoding } from "../session-store";

/** Carries a body's packing and length from a route to the server below it. Never sent. */
const HEADER = "x-context-replay-packed";

/**
 * Headers of a packed body. Next removes `Content-Encoding` and `Content-Length` from whatever a route answers (it may have been fetched, and
 * unpacked on the way). So they travel under another name, and `restorePacked` puts them back.
 */
export function packedHeaders(encoding: Encoding, length: number): Readonly<Record<string, string>> {
  return { [HEADER]: `${encoding} ${length}` };
}

/** Restores the headers of a packed body as a route's answer passes. Call it for every response that is passed to Next. */
export function restorePacked(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== HEADER) return setHeader(name, value);
    const [encoding = "identity", length = ""] = String(value).split(" ");
    if (encoding !== "identity") setHeader("Content-Encoding", encoding);
    return setHeader("Content-Length", length);
  };
}
