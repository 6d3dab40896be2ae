import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Encoding } from "../base/packing";
import { listening } from "../testing/listening";
import { encodingFor, matchesTag, packedAnswer, packedHeaders, restorePacked } from "./packed";

const TEXT = "numbers ".repeat(100);
const body: Readonly<Record<string, Buffer>> = { "/gzip": gzipSync(TEXT), "/identity": Buffer.from(TEXT) };

/** Answers as Next does: it sets the headers that a route gave, one by one. */
const port = listening((request, response) => {
  restorePacked(response);
  const packed = body[request.url ?? ""] ?? Buffer.alloc(0);
  const encoding: Encoding = request.url === "/gzip" ? "gzip" : "identity";
  for (const [name, value] of Object.entries(packedHeaders(encoding, packed.length))) response.setHeader(name, [value]);
  response.end(packed);
});

async function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port()}${path}`);
}

describe("a response body", () => {
  it("is decompressed by the client if it was compressed", async () => {
    const response = await ask("/gzip");
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("content-length")).toBe(String(body["/gzip"]?.length));
    expect(await response.text()).toBe(TEXT);
    expect(gunzipSync(body["/gzip"] ?? "").toString()).toBe(TEXT);
  });

  it("may be sent unchanged, with its length", async () => {
    const response = await ask("/identity");
    expect([response.headers.get("content-encoding"), response.headers.get("content-length")]).toEqual([null, "800"]);
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-"))).toEqual([]);
  });
});

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["gzip;q=0, br;q=0", "identity"],
  ["*", "br"],
  ["", "identity"],
  [null, "identity"],
])("the encoding for Accept-Encoding %s is %s", (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});

it("If-None-Match accepts weak tags, lists of tags, and *", () => {
  expect(['"a"', 'W/"a"', '"b", "a"', "*"].every((header) => matchesTag(header, '"a"'))).toBe(true);
  expect(['"b"', null, "a"].some((header) => matchesTag(header, '"a"'))).toBe(false);
});

it("the server compresses only JSON and WebAssembly, and only if that saves bytes", async () => {
  const request = new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } });
  const encodingOf = async (body: string, type: string) => {
    const answer = await packedAnswer(request, new Response(body, { status: 202, headers: { "Content-Type": type } }));
    expect(answer.status).toBe(202);
    const [encoding = null] = answer.headers.get("x-context-replay-packed")?.split(" ") ?? [];
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect((encoding === "gzip" ? gunzipSync(bytes) : bytes).toString()).toBe(body);
    return encoding;
  };
  const json = JSON.stringify(TEXT.repeat(2));
  expect(await encodingOf(json, "application/json")).toBe("gzip");
  expect(await encodingOf(json, "application/problem+json; charset=utf-8")).toBe("gzip");
  expect(await encodingOf(json, "application/wasm")).toBe("gzip");
  expect(await encodingOf('"short"', "application/json")).toBe("identity");
  expect(await encodingOf(json, "text/event-stream")).toBeNull();
});
