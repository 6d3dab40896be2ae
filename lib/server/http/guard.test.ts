import { describe, expect, it } from "vitest";
import { guardApi, isLoopback } from "./guard";
import { isHttpError } from "./http-error";

const LOCAL = { host: "127.0.0.1", port: 3000 };
const OPEN = { host: "0.0.0.0", port: 3000, token: "secret" };

/** Status of the refusal, or "passes". */
function verdict(headers: Record<string, string>, config: Parameters<typeof guardApi>[1] = LOCAL): number | "passes" {
  try {
    guardApi(new Headers(headers), config);
    return "passes";
  } catch (error) {
    if (isHttpError(error)) return error.status;
    throw error;
  }
}

describe("Host header", () => {
  it.each(["127.0.0.1:3000", "localhost:3000", "LOCALHOST:3000", "[::1]:3000"])("%s is accepted", (host) => {
    expect(verdict({ host })).toBe("passes");
  });

  it.each([
    "evil.example:3000",
    "localhost.evil.example:3000",
    "127.0.0.1.nip.io:3000",
    "localhost:3001",
    "localhost",
    "10.0.0.5:3000",
    "[::1:3000",
    "localhost:3000@evil.example",
    "",
  ])("%s is rejected", (host) => {
    expect(verdict({ host })).toBe(421);
  });

  it("is required", () => {
    expect(verdict({})).toBe(421);
  });

  it("may be the configured name, or any address if the server listens on all addresses", () => {
    expect(verdict({ host: "replay.lan:3000" }, { host: "replay.lan", port: 3000 })).toBe("passes");
    const token = { authorization: "Bearer secret" };
    expect(verdict({ host: "192.168.1.7:3000", ...token }, OPEN)).toBe("passes");
    expect(verdict({ host: "evil.example:3000", ...token }, OPEN)).toBe(421);
  });
});

describe("a request from another page", () => {
  const host = "localhost:3000";
  it.each([
    [{ origin: "http://localhost:3000" }, "passes"],
    [{ origin: "http://localhost:3001" }, 403],
    [{ origin: "http://127.0.0.1:3000" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "same-origin" }, "passes"],
    [{ "sec-fetch-site": "none" }, "passes"],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
  ])("with %o: %s", (headers, expected) => {
    expect(verdict({ host, ...headers })).toBe(expected);
  });
});

describe("an access token", () => {
  const host = "localhost:3000";
  it.each([
    [{}, 401],
    [{ cookie: "context-replay-token-3000=wrong" }, 401],
    [{ cookie: "other=secret" }, 401],
    [{ cookie: "a=b; context-replay-token-3000=secret" }, "passes"],
    // Of another server on this host.
    [{ cookie: "context-replay-token-3001=secret" }, 401],
    [{ authorization: "Bearer secret" }, "passes"],
    [{ authorization: "Bearer secrets" }, 401],
    [{ authorization: "Bearer secret", cookie: "context-replay-token-3000=old" }, "passes"],
  ])("with %o: %s", (headers, expected) => {
    expect(verdict({ host, ...headers }, OPEN)).toBe(expected);
  });
});

it("the guard accepts this machine's own names", () => {
  expect(["localhost", "127.0.0.1", "127.8.9.1", "::1"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "10.0.0.1", "example.org", "127.evil.example"].some(isLoopback)).toBe(false);
});
