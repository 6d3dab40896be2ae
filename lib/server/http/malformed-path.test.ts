import { connect } from "node:net";
import { expect, it } from "vitest";
import { listening } from "../testing/listening";
import { refuseMalformedPath } from "./before-next";

const port = listening((request, response) => {
  if (!refuseMalformedPath(request, response)) response.end("answered");
});

/** The whole answer, for a path that no client would send unchanged. */
async function rawAnswer(path: string): Promise<string> {
  const socket = connect(port(), "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

it.each(["/api/sessions/%ff", "/sessions/%C3", "/api/%", "/%E0%A4%A?q=1"])(
  "%s is rejected with a problem document",
  async (path) => {
    const answer = await rawAnswer(path);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("application/problem+json");
    expect(answer).toContain('"detail":"The address is not percent-encoded UTF-8."');
  },
);

it.each(["/api/sessions/%E4%BD%A0", "/a%2Fb", "/api/sessions?q=%ff", "/"])(
  "%s is passed on to the handler",
  async (path) => {
    expect(await rawAnswer(path)).toMatch(/^HTTP\/1\.1 200 .*answered$/s);
  },
);
