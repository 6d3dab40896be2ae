import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { ServerConfig } from "../base/config";
import { HttpError } from "./http-error";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);
const EVERY_ADDRESS = new Set(["0.0.0.0", "::"]);

type GuardConfig = Pick<ServerConfig, "host" | "port" | "token">;

/** The cookie with the token. Browsers share cookies between the ports of a host, so each server has its own. */
export function tokenCookie({ port }: Pick<ServerConfig, "port">): string {
  return port === undefined ? "context-replay-token" : `context-replay-token-${port}`;
}

/** True for a name or address of this machine's loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Rejects a request whose Host is not this server (DNS rebinding), that another site's page sent (cross-site request forgery), or that lacks a
 * required token. Throws `HttpError`.
 */
export function guardApi(headers: Headers, config: GuardConfig): void {
  guardHost(headers, config);
  guardOrigin(headers);
  guardToken(headers, config);
}

/** Rejects a Host header that does not name this server. Throws `HttpError` 421. */
export function guardHost(headers: Headers, config: GuardConfig): void {
  const host = splitHost(headers.get("host") ?? "");
  if (host === undefined || !isOwnName(host.name, config) || !isOwnPort(host.port, config)) {
    throw new HttpError(421, "This server does not answer under that host name.");
  }
}

/** Rejects requests of pages from another origin. Requests without `Sec-Fetch-Site` and `Origin` do not come from a page. Throws `HttpError` 403. */
function guardOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  if (origin !== null && !isSameOrigin(origin, headers.get("host") ?? "")) {
    throw new HttpError(403, "Requests from pages of another origin are refused.");
  }
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") {
    throw new HttpError(403, "Requests from pages of another site are refused.");
  }
}

/** Rejects a request with the token neither in a cookie nor as a bearer, if one is set. Throws `HttpError` 401. */
export function guardToken(headers: Headers, config: GuardConfig): void {
  const { token } = config;
  if (token === undefined) return;
  const shown = [cookie(headers.get("cookie") ?? "", tokenCookie(config)), bearer(headers.get("authorization") ?? "")];
  if (!shown.some((secret) => secret !== undefined && sameSecret(secret, token))) {
    throw new HttpError(401, "Open the address with ?token=… that the server printed when it was started.");
  }
}

/** Compares two secrets in constant time. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
}

interface HostParts {
  readonly name: string;
  readonly port: number;
}

/** Name and port of a Host header, IPv6 without its brackets; `undefined` if malformed. */
function splitHost(host: string): HostParts | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/i.exec(host);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? undefined : { name: name.toLowerCase(), port: Number(match?.[3] ?? 80) };
}

function isOwnName(name: string, { host, token }: GuardConfig): boolean {
  if (isLoopback(name) || name === host.toLowerCase()) return true;
  // The server listens on every address: addresses cannot be rebound, the host name is this machine's own, and the token protects the rest.
  return EVERY_ADDRESS.has(host) && token !== undefined && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

function isOwnPort(port: number, config: GuardConfig): boolean {
  return config.port === undefined || port === config.port;
}

function isSameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

function cookie(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at !== -1 && part.slice(0, at).trim() === name) return decoded(part.slice(at + 1).trim());
  }
  return undefined;
}

function bearer(header: string): string | undefined {
  return /^Bearer (.+)$/i.exec(header)?.[1];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // It is not percent-encoded, so it is compared with the token unchanged, like any other wrong value.
    return value;
  }
}
