import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listening } from "../testing/listening";
import { refuseTrace } from "./before-next";

const port = listening((request, response) => {
  if (!refuseTrace(request, response)) response.end();
});

it.each([
  ["/api/uploads", "POST, OPTIONS"],
  ["/sessions/x", "GET, HEAD"],
])("the server answers TRACE of %s with a problem document", async (path, allowed) => {
  // A method that `Request` forbids.
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
