import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { listening } from "../testing/listening";
import { PackedFiles } from "./packed-files";

const folder = mkdtempSync(join(tmpdir(), "context-replay-static-"));
mkdirSync(join(folder, "chunks"));
writeFileSync(join(folder, "chunks", "a.js"), "plain()");
writeFileSync(join(folder, "chunks", "a.js.br"), brotliCompressSync("packed()"));
writeFileSync(join(folder, "chunks", "b.js"), "plain()");
writeFileSync(join(folder, "chunks", "c.js.br"), brotliCompressSync("alone()"));
afterAll(() => rmSync(folder, { recursive: true }));

const files = new PackedFiles(folder);
const port = listening((request, response) => {
  if (!files.send(request, response)) response.end("passed on");
});

function ask(path: string, accepted: string, method = "GET"): Promise<Response> {
  return fetch(`http://127.0.0.1:${port()}${path}`, { method, headers: { "accept-encoding": accepted } });
}

it("the server sends the compressed file to clients that accept it, marked as immutable", async () => {
  const answer = await ask("/_next/static/chunks/a.js?dpl=1", "gzip, deflate, br");
  expect(await answer.text()).toBe("packed()");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  const head = await ask("/_next/static/chunks/a.js", "br", "HEAD");
  expect(Number(head.headers.get("content-length"))).toBe(brotliCompressSync("packed()").length);
});

it("the server reads each file once", async () => {
  writeFileSync(join(folder, "chunks", "a.js.br"), brotliCompressSync("changed()"));
  expect(await (await ask("/_next/static/chunks/a.js", "br")).text()).toBe("packed()");
});

it.each([
  ["/_next/static/chunks/a.js", "gzip"],
  ["/_next/static/chunks/a.js", "br;q=0, gzip"],
  ["/_next/static/chunks/b.js", "br"],
  ["/_next/static/chunks/../../a.js", "br"],
  ["/_next/static/chunks/a.js.br", "br"],
  ["/chunks/a.js", "br"],
])("the server leaves %s to Next.js if the client accepts %s", async (path, accepted) => {
  expect(await (await ask(path, accepted)).text()).toBe("passed on");
});

it.each(["gzip", "br"])(
  "the server sends a file stored only in compressed form to a client that accepts %s",
  async (accepted) => {
    const answer = await ask("/_next/static/chunks/c.js", accepted);
    expect(await answer.text()).toBe("alone()");
    expect(answer.headers.get("content-encoding")).toBe(accepted === "br" ? "br" : null);
  },
);
