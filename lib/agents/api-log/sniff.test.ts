import { describe, expect, it } from "vitest";
import { sniffReader } from "../registry";

const request = { model: "claude-opus-4-6", max_tokens: 1, messages: [{ role: "user", content: "One." }] };
const content = [{ type: "text", text: "Two." }];
const response = { id: "msg_1", type: "message", role: "assistant", content, stop_reason: null };

function trace(attributes: Readonly<Record<string, string>>) {
  const list = Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return { resourceSpans: [{ scopeSpans: [{ spans: [{ attributes: list }] }] }] };
}

describe("recognition of a log of requests", () => {
  it.each([
    ["a request", request],
    ["a response", response],
    ["both", { request, response }],
    ["a body as text", { request_body: JSON.stringify(request) }],
    ["a request with an address", { method: "POST", url: "https://example.com/v1/messages", body: request }],
    ["a request with headers", { request: { headers: {}, body: request } }],
    ["input for a model", { model: "gpt-5", input: "One." }],
    ["a HAR document", { log: { entries: [{ request: { postData: { text: JSON.stringify(request) } } }] } }],
    ["a span of a request", trace({ "gen_ai.operation.name": "chat" })],
    ["a span that names no operation", trace({ "gen_ai.request.model": "gpt-4o", "gen_ai.usage.prompt_tokens": "7" })],
  ])("%s is recognised", (_what, record) => {
    expect(sniffReader([record])?.format).toBe("api-log");
  });

  it.each([
    [
      "a message without a response's fields",
      { type: "message", role: "assistant", content: [{ type: "output_text" }] },
    ],
    ["an embedding", { model: "embed-1", input: [1, 2, 3] }],
    ["a web server's request", { method: "GET", url: "/", body: null, response: { status: 200, body: "<html>" } }],
    ["parts of the AI SDK", { model: "m", messages: [{ role: "assistant", content: [{ type: "tool-call" }] }] }],
    ["spans of a web server", trace({ "http.request.method": "GET" })],
    ["the span of an agent, which sums up its requests", trace({ "gen_ai.operation.name": "invoke_agent" })],
    ["nothing", {}],
  ])("%s is not recognised", (_what, record) => {
    expect(sniffReader([record])?.format).not.toBe("api-log");
  });
});
