import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { configFrom, type ServerConfig } from "../base/config";
import { listening } from "../testing/listening";
import { refuseForeign } from "./before-next";

const OWN: ServerConfig = { ...configFrom({ HOME: "/home/ada" }), host: "127.0.0.1", port: 3000 };
const HOST = { host: "127.0.0.1:3000" };

let config = OWN;
const port = listening((request, response) => {
  if (!refuseForeign(request, response, config)) response.writeHead(308, { location: "/elsewhere" }).end();
});

async function ask(path: string, headers: Record<string, string>, method = "GET", body?: string) {
  const sent = request({ host: "127.0.0.1", port: port(), path, method, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage]; // as the event's documentation says
  return { status: answer.statusCode, type: answer.headers["content-type"], text: await text(answer) };
}

const EVIL = { host: "evil.example:3000" };

it.each([
  ["/sessions/x/", EVIL, "GET", 421],
  ["//api//sessions", EVIL, "GET", 421],
  ["/api/sessions/", EVIL, "GET", 421],
  ["/api/sessions", EVIL, "OPTIONS", 421],
  ["/", EVIL, "OPTIONS", 421],
  ["/_next/static/a.js", EVIL, "GET", 421],
  ["*", EVIL, "OPTIONS", 421],
  ["/api/sessions/", { ...HOST, origin: "http://evil.example" }, "GET", 403],
  ["/api/sessions", { ...HOST, origin: "http://evil.example" }, "OPTIONS", 403],
  ["//api/sessions", { ...HOST, "sec-fetch-site": "cross-site" }, "POST", 403],
  // Links of other sites lead to pages.
  ["/sessions/x/", { ...HOST, "sec-fetch-site": "cross-site" }, "GET", 308],
  ["/api/sessions/", HOST, "GET", 308],
  ["/sessions/x/", HOST, "GET", 308],
])("the guard runs before redirects and answers: %s with %o and %s gets %i", async (path, headers, method, status) => {
  config = OWN;
  expect((await ask(path, headers, method)).status).toBe(status);
});

it.each([
  ["/sessions/x/", {}, 401],
  ["/api/sessions", {}, 401],
  ["/sessions/x/?token=wrong", {}, 401],
  ["/sessions/x/?token=secret", {}, 308],
  ["/api/sessions/?token=secret", {}, 401],
  ["/sessions/x/", { authorization: "Bearer secret" }, 308],
  ["/_next/static/a.js", {}, 308],
])("the guard checks the token: %s with %o gets %i", async (path, headers, status) => {
  config = { ...OWN, token: "secret" };
  expect((await ask(path, { ...HOST, ...headers })).status).toBe(status);
});

it("the refusal is a problem document for API clients, else a sentence, and the body is not read", async () => {
  config = OWN;
  const problem = await ask("/api/uploads", EVIL, "POST", "x".repeat(100_000));
  expect([problem.status, problem.type, JSON.parse(problem.text).status]).toEqual([
    421,
    "application/problem+json",
    421,
  ]);
  expect((await ask("/", EVIL)).text).toBe("This server does not answer under that host name.\n");
});
