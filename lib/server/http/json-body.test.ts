import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listening } from "../testing/listening";
import { isHttpError } from "./http-error";
import { jsonBody } from "./json-body";

const LIMIT = 1000;

const port = listening(async (incoming, response) => {
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>; // the same class, declared twice
  const sent = new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit); // `duplex` is not declared
  try {
    response.end(JSON.stringify(await jsonBody(sent, LIMIT)));
  } catch (error) {
    if (!isHttpError(error)) throw error;
    response.writeHead(error.status, error.headers).end(error.message);
  }
});

it.each([
  ["announces", { "content-length": String((4 << 20) + 2) }],
  ["does not announce", { "transfer-encoding": "chunked" }],
])("a client that %s too long a body gets the whole answer before its connection closes", async (_, headers) => {
  const sent = request({ host: "127.0.0.1", port: port(), method: "POST", headers });
  const closed = once(sent, "close");
  sent.write('"');
  sent.write("x".repeat(4 << 20));
  sent.end('"');
  const [answer] = (await once(sent, "response")) as [IncomingMessage]; // as the event's documentation says
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, "close"]);
  expect(await text(answer)).toBe("The body is larger than 1000 bytes.");
  // A reset connection would emit an error, which rejects.
  await closed;
});
