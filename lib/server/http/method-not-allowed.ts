import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "./http-error";

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "application/problem+json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Gives Next's own answer to a method that a route does not have the form of every other error: it is sent without a body, and
 * no handler is asked. For every response of the API that is handed to Next.
 */
export function explainMethodNotAllowed({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (url === undefined || !url.startsWith("/api/")) return;
  const isRefused = () => response.statusCode === 405;
  const writeHead: ServerResponse["writeHead"] = response.writeHead.bind(response);
  const end: ServerResponse["end"] = response.end.bind(response);
  // Next's packing sends the head before the end. The overloads share one list of parameters in both.
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    if (isRefused()) for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    return writeHead(...given);
  }) as ServerResponse["writeHead"];
  response.end = ((...given: Parameters<typeof end>) => {
    if (!isRefused()) return end(...given);
    if (!response.headersSent) response.writeHead(405);
    return end(JSON.stringify(problemBody(405, `This route does not answer ${method ?? "this method"}.`)));
  }) as ServerResponse["end"];
}
