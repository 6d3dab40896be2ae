import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerConfig } from "../base/config";
import { guardApi, guardHost, guardToken, sameSecret } from "./guard";
import { isHttpError, problemBody } from "./http-error";

/** Headers of a rejection, which bypasses Next and so gets none of its headers. */
const HEADERS = {
  "Content-Type": "application/problem+json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

/** Headers that the guard reads. */
const READ = ["host", "origin", "sec-fetch-site", "cookie", "authorization"] as const;

const API = /^\/+api(?:\/|$)/;
/** Code and images of the pages, which are the same for every user. */
const STATIC = /^\/+_next\//;

/**
 * Rejects a request that the guard of the API or of the pages would reject. Next redirects paths and answers OPTIONS before it calls either. Call it
 * for every request before Next. Returns true if it rejected.
 */
export function refuseForeign(request: IncomingMessage, response: ServerResponse, config: ServerConfig): boolean {
  const url = addressOf(request);
  const isApi = API.test(url?.pathname ?? "");
  try {
    guard(headersOf(request), url, config);
    return false;
  } catch (error) {
    if (!isHttpError(error)) throw error;
    const type = isApi ? HEADERS["Content-Type"] : "text/plain; charset=utf-8";
    response.writeHead(error.status, { ...HEADERS, "Content-Type": type });
    response.end(isApi ? JSON.stringify(problemBody(error.status, error.message)) : `${error.message}\n`);
    return true;
  }
}

function guard(headers: Headers, url: URL | undefined, config: ServerConfig): void {
  const path = url?.pathname ?? "";
  if (API.test(path)) {
    guardApi(headers, config);
    return;
  }
  guardHost(headers, config);
  const shown = url?.searchParams.get("token") ?? undefined;
  const enters = config.token !== undefined && shown !== undefined && sameSecret(shown, config.token);
  if (!STATIC.test(path) && !enters) guardToken(headers, config);
}

/** The URL of a request; `undefined` for others, such as `*`. */
function addressOf({ url = "" }: IncomingMessage): URL | undefined {
  try {
    // As a relative reference, a path with two leading slashes would name a host.
    return new URL(url.startsWith("/") ? `http://localhost${url}` : url);
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const read = new Headers();
  for (const name of READ) {
    const value = headers[name];
    if (typeof value === "string") read.set(name, value);
  }
  return read;
}

/**
 * Rejects a path that is not percent-encoded UTF-8, which Next would answer as an internal error. Call it for every request before Next. Returns true
 * if it rejected.
 */
export function refuseMalformedPath({ url = "" }: IncomingMessage, response: ServerResponse): boolean {
  const [path = ""] = url.split("?", 1);
  if (isDecodable(path)) return false;
  response.writeHead(400, HEADERS);
  response.end(JSON.stringify(problemBody(400, "The address is not percent-encoded UTF-8.")));
  return true;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false; // A URIError means that it is not.
  }
}

/** Rejects TRACE, which Next would answer as an internal error. Call it for every request before Next. Returns true if it rejected. */
export function refuseTrace({ method, url = "" }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== "TRACE") return false;
  void refusalHeaders(url).then((headers) =>
    response.writeHead(405, headers).end(JSON.stringify(problemBody(405, "This route does not answer TRACE."))),
  );
  return true;
}

async function refusalHeaders(url: string): Promise<Readonly<Record<string, string>>> {
  const [path = ""] = url.split("?", 1);
  // Loaded on the first rejection, since it loads half of the server.
  const methods = path.startsWith("/api/") ? (await import("@/lib/queries/table")).methodsOf(path) : ["GET", "HEAD"];
  return { ...HEADERS, Allow: methods.join(", ") };
}
