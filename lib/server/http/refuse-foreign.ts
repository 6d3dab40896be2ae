import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerConfig } from "../base/config";
import { guardApi, guardHost, guardToken, sameSecret } from "./guard";
import { isHttpError, problemBody } from "./http-error";

/** Headers that the guard reads. */
const READ = ["host", "origin", "sec-fetch-site", "cookie", "authorization"] as const;

const API = /^\/+api(?:\/|$)/;
/** Code and pictures of the pages, which are the same for everybody. */
const STATIC = /^\/+_next\//;

/**
 * Refuses a request that the guard of the API or of the pages would refuse. Next redirects paths and answers OPTIONS before it calls either. Call it
 * for every request before it is passed to Next. Returns whether it refused.
 */
export function refuseForeign(request: IncomingMessage, response: ServerResponse, config: ServerConfig): boolean {
  const url = addressOf(request);
  const isApi = API.test(url?.pathname ?? "");
  try {
    guard(headersOf(request), url, config);
    return false;
  } catch (error) {
    if (!isHttpError(error)) throw error;
    response.writeHead(error.status, {
      "Content-Type": isApi ? "application/problem+json" : "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
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

/** The address of a request; `undefined` where it is none, such as `*`. */
function addressOf({ url = "" }: IncomingMessage): URL | undefined {
  try {
    // As the reference of a base, a path that begins with two slashes would name a host.
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
