import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refuseMalformedPath } from "./malformed-path";

const server = createServer((request, response) => {
  if (!refuseMalformedPath(request, response)) response.end("answered");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** The whole answer, for a path that no client would send unchanged. */
async function rawAnswer(path: string): Promise<string> {
  const address = server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

it.each(["/api/sessions/%ff", "/sessions/%C3", "/api/%", "/%E0%A4%A?q=1"])(
  "%s is refused as a problem",
  async (path) => {
    const answer = await rawAnswer(path);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("application/problem+json");
    expect(answer).toContain('"detail":"The address is not percent-encoded UTF-8."');
  },
);

it.each(["/api/sessions/%E4%BD%A0", "/a%2Fb", "/api/sessions?q=%ff", "/"])("%s is passed on", async (path) => {
  expect(await rawAnswer(path)).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
});
