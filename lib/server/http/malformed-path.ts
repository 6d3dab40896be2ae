import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "./http-error";

/**
 * Refuses an address whose path is not percent-encoded UTF-8, which Next would answer as an internal error. Call it for every request before it is
 * passed to Next. Returns whether it refused.
 */
export function refuseMalformedPath({ url = "" }: IncomingMessage, response: ServerResponse): boolean {
  const [path = ""] = url.split("?", 1);
  if (isDecodable(path)) return false;
  response.writeHead(400, {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(problemBody(400, "The address is not percent-encoded UTF-8.")));
  return true;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false; // a URIError means that it is not
  }
}
