import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bytesInWords } from "../base/byte-words";
import { put, temporaryFolder } from "../testing/files";
import { displayName, nameFromHeader } from "./display-name";
import { type Incoming, UploadStore } from "./upload-store";

const base = temporaryFolder();
let count = 0;

function freshStore(maxBytes = 1000): UploadStore {
  count += 1;
  return new UploadStore(join(base, `uploads-${count}`), maxBytes);
}

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const incoming = (body: AsyncIterable<Uint8Array>, change: Partial<Incoming> = {}): Incoming => ({
  body,
  name: "a.jsonl",
  ...change,
});

const left = (store: UploadStore) => (existsSync(store.folder) ? readdirSync(store.folder) : []);

describe("an upload", () => {
  it("is stored under its digest, and keeps its original name", async () => {
    const store = freshStore();
    const stored = await store.receive(incoming(parts("one\n", "two\n"), { length: 8, name: "会话.jsonl" }));
    const sha256 = createHash("sha256").update("one\ntwo\n").digest("hex");
    expect(stored).toMatchObject({ sha256, bytes: 8, existed: false, name: "会话.jsonl" });
    expect(readFileSync(join(store.folder, sha256), "utf8")).toBe("one\ntwo\n");
    expect(left(store).sort()).toEqual([sha256, `${sha256}.json`]);
    const again = new UploadStore(store.folder, 1000);
    expect(await again.list()).toEqual([expect.objectContaining({ sha256, bytes: 8, name: "会话.jsonl" })]);
  });

  it("is stored once, and keeps its name if the second one has none", async () => {
    const store = freshStore();
    await store.receive(incoming(parts("same")));
    expect(await store.receive(incoming(parts("sa", "me"), { name: "" }))).toMatchObject({
      existed: true,
      name: "a.jsonl",
    });
    expect(left(store)).toHaveLength(2);
  });

  it("can be removed, even twice", async () => {
    const store = freshStore();
    const { sha256 } = await store.receive(incoming(parts("same")));
    await store.remove(sha256);
    await store.remove(sha256);
    expect(left(store)).toEqual([]);
    await expect(store.remove("../../etc/passwd")).rejects.toMatchObject({ reason: "unknown" });
  });
});

describe("no file is left of an upload", () => {
  it.each([
    [
      "that is cut off",
      { length: 10 },
      "malformed",
      "3 bytes of 10 arrived: the upload was cut off. Send the file again.",
    ],
    [
      "that is longer than announced",
      { length: 2 },
      "malformed",
      "3 bytes of 2 arrived: the upload was cut off. Send the file again.",
    ],
    [
      "that announces too much",
      { length: 1001 },
      "too-large",
      "The file is larger than the limit for uploads, 1000 bytes.",
    ],
  ])("%s", async (_what, change, reason, message) => {
    const store = freshStore();
    await expect(store.receive(incoming(parts("abc"), change))).rejects.toMatchObject({ reason, message });
    expect(left(store)).toEqual([]);
  });

  it("over the limit without announcing its size", async () => {
    const store = freshStore();
    await expect(store.receive(incoming(parts("x".repeat(600), "x".repeat(600))))).rejects.toMatchObject({
      reason: "too-large",
    });
    expect(left(store)).toEqual([]);
  });

  it("without an end", async () => {
    const store = freshStore();
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; sent += 1 << 20) yield new Uint8Array(1 << 20);
    }
    await expect(store.receive(incoming(endless()))).rejects.toMatchObject({ reason: "too-large" });
    expect(sent).toBeLessThan(70 << 20);
    expect(left(store)).toEqual([]);
  });

  it("aborted by the client", async () => {
    const store = freshStore();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("abc");
      throw new DOMException("gone", "AbortError");
    }
    await expect(store.receive(incoming(broken()))).rejects.toThrow("gone");
    expect(left(store)).toEqual([]);
  });

  it("without content", async () => {
    const store = freshStore();
    await expect(store.receive(incoming(parts()))).rejects.toMatchObject({
      reason: "malformed",
      message: "The file is empty.",
    });
    await expect(store.receive({ body: null, name: "" })).rejects.toMatchObject({ reason: "malformed" });
    expect(left(store)).toEqual([]);
  });

  it("begun a day ago by a server that was killed", async () => {
    const store = freshStore();
    await store.receive(incoming(parts("abc")));
    const old = put(store.folder, ".tmp-old", "x");
    put(store.folder, ".tmp-new", "x");
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    put(store.folder, `.tmp-${ended}-killed`, "x");
    utimesSync(old, 1000, 1000);
    await store.removeStale(Date.now());
    expect(left(store).filter((name) => name.startsWith(".tmp"))).toEqual([".tmp-new"]);
  });
});

describe("the name of an upload", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.jsonl", "a.jsonl"],
    ["a\u001b[31m\u202ejsonl.a", "a[31mjsonl.a"],
    ["..", "upload.jsonl"],
    ["", "upload.jsonl"],
    ["会话 1.jsonl", "会话 1.jsonl"],
    [`${"x".repeat(300)}`, "x".repeat(200)],
  ])("%j is shown as %j", (given, shown) => {
    expect(displayName(given)).toBe(shown);
  });

  it("may be percent-encoded", () => {
    expect(nameFromHeader("%E4%BC%9A.jsonl")).toBe("会.jsonl");
    expect(nameFromHeader("100%.jsonl")).toBe("100%.jsonl");
    expect(nameFromHeader(null)).toBe("");
  });
});

it("the refusal of an upload states sizes with units", () => {
  expect([2 * 1024 ** 3, 1.5 * 1024 ** 2, 1000].map(bytesInWords)).toEqual(["2 GiB", "1.5 MiB", "1000 bytes"]);
});
