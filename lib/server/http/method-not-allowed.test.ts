import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listening } from "../testing/listening";
import { explainMethodNotAllowed, refuseTrace } from "./before-next";

/** Answers as Next does: a status without a body, or a handler's own answer. */
const port = listening((request, response) => {
  if (refuseTrace(request, response)) return;
  explainMethodNotAllowed(request, response);
  const refused = request.method !== "GET";
  response.statusCode = refused ? 405 : 200;
  // Next's compression sends the head before the end.
  if (request.method === "DELETE") response.writeHead(response.statusCode);
  response.end(refused ? undefined : "numbers");
});

function ask(path: string, method: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port()}${path}`, { method });
}

it.each(["POST", "DELETE"])("answers with a problem that a route does not have %s", async (method) => {
  const response = await ask("/api/health", method);
  expect([response.status, response.headers.get("content-type")]).toEqual([405, "application/problem+json"]);
  expect(await response.json()).toEqual({
    type: "about:blank",
    title: "Method not allowed",
    status: 405,
    detail: `This route does not answer ${method}.`,
  });
});

it("leaves everything else as it is", async () => {
  expect(await (await ask("/api/health", "GET")).text()).toBe("numbers");
  expect(await (await ask("/sessions/x", "POST")).text()).toBe("");
});

it.each([
  ["/api/health", "GET, HEAD, OPTIONS"],
  ["/api/uploads", "POST, OPTIONS"],
  ["/api/sessions/a~codex/overhead?estimator=o200k", "GET, PUT, HEAD, OPTIONS"],
])("names what %s answers", async (path, allowed) => {
  expect((await ask(path, "PATCH")).headers.get("allow")).toBe(allowed);
});

it.each([
  ["/api/uploads", "POST, OPTIONS"],
  ["/sessions/x", "GET, HEAD"],
])("refuses TRACE of %s with a problem", async (path, allowed) => {
  // What the web's own requests may not ask.
  const sent = request({ port: port(), path, method: "TRACE" });
  sent.end();
  const [response]: IncomingMessage[] = await once(sent, "response");
  expect([response?.statusCode, response?.headers.allow, response?.headers["content-type"]]).toEqual([
    405,
    allowed,
    "application/problem+json",
  ]);
  expect(response && (await json(response))).toMatchObject({ detail: "This route does not answer TRACE." });
});
