import type { ServerResponse } from "node:http";
import type { Encoding } from "../session-store";

/** Says in what a body is packed and how long it is, from a route to the server below it. Never sent. */
const HEADER = "x-context-replay-packed";

/**
 * Headers of a packed body. Next takes `Content-Encoding` and `Content-Length` away from whatever a route answers (it may
 * have been fetched, and unpacked on the way), so they travel under another name: `restorePacked` puts them back.
 */
export function packedHeaders(encoding: Encoding, length: number): Readonly<Record<string, string>> {
  return { [HEADER]: `${encoding} ${length}` };
}

/** Puts the headers of a packed body back as a route's answer passes; for every response that is handed to Next. */
export function restorePacked(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== HEADER) return setHeader(name, value);
    const [encoding = "identity", length = ""] = String(value).split(" ");
    if (encoding !== "identity") setHeader("Content-Encoding", encoding);
    return setHeader("Content-Length", length);
  };
}
