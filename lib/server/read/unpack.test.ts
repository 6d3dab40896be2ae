import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/core/testing/processor-time";
import { runs } from "@/lib/core/testing/runs";
import { dumpTranscript } from "@/verify/support/dump";
import { InputError } from "../base/input-error";
import { LIMITS } from "../base/limits";
import { OpenedSession } from "../sessions/opened-session";
import { put, temporaryFolder } from "../testing/files";
import { shownItems } from "../testing/items";
import { LocalRunner } from "../threads/local-runner";
import { readSource, readTranscript } from "./read-transcript";
import { SessionFiles } from "./session-files";
import { SourceFile } from "./source-file";
import { unpack } from "./unpack";

const folder = temporaryFolder();
const ORIGINAL = join(process.cwd(), "lib/agents/codex/fixtures/compacted-locally.jsonl");
/** Made by `zstd -19` from the file above. */
const ZSTD = readFileSync(join(process.cwd(), "lib/server/read/fixtures/compacted-locally.jsonl.zst"));
const PLAIN = readFileSync(ORIGINAL);
let count = 0;

async function read(content: Uint8Array, limit?: number, ending = "") {
  count += 1;
  const path = put(folder, `rollout-${count}.jsonl${ending}`, content);
  const files = new SessionFiles(limit);
  try {
    return await files.use(path, (file) => readSource(file).transcript);
  } finally {
    files.close();
  }
}

const LE = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);

/** A Zstandard frame with a window of 1 KiB × 2^exponent and these blocks: each is stored raw, or is one byte repeated. */
function frame(blocks: readonly (Uint8Array | { repeat: number; times: number })[], exponent = 10): Uint8Array {
  const bytes = blocks.flatMap((block, at) => {
    const last = Number(at === blocks.length - 1);
    if (block instanceof Uint8Array) return [...LE(last | (block.length << 3), 3), ...block];
    return [...LE(last | 2 | (block.times << 3), 3), block.repeat];
  });
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, ...bytes]);
}

/** A text in UTF-16 with a byte order mark, as some editors and shells write it. */
function utf16(content: Buffer): Buffer {
  return Buffer.from(`\ufeff${content}`, "utf16le");
}

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

describe("a compressed file", () => {
  it.each([
    ["gzip", gzipSync(PLAIN)],
    ["gzip in two members", Buffer.concat([gzipSync(PLAIN.subarray(0, 700)), gzipSync(PLAIN.subarray(700))])],
    ["zstd", ZSTD],
    ["zstd in two frames", Buffer.concat([frame([PLAIN.subarray(0, 900)]), frame([PLAIN.subarray(900)])])],
    [
      "zstd after a skippable frame",
      Buffer.concat([Uint8Array.from([0x5a, 0x2a, 0x4d, 0x18, ...LE(20, 4), ...new Uint8Array(20)]), ZSTD]),
    ],
  ])("is recognised by its bytes and read as its content: %s", async (_what, bytes) => {
    expect(dumpTranscript(await read(bytes))).toBe(dumpTranscript(readTranscript(ORIGINAL).transcript));
  });

  it("is read as Brotli by its name alone; a truncated one is read as far as possible", async () => {
    const bytes = brotliCompressSync(PLAIN);
    expect(dumpTranscript(await read(bytes, undefined, ".br"))).toBe(
      dumpTranscript(readTranscript(ORIGINAL).transcript),
    );
    const { problems, records } = await read(bytes.subarray(0, -20), undefined, ".br");
    expect(problems).toContainEqual({ code: "unpacking-stopped", detail: "cut off", count: 1 });
    expect(records.total).toBeGreaterThan(3);
    await expect(read(Buffer.from("no Brotli at all\n"), undefined, ".br")).rejects.toThrow(/is a brotli file that is/);
    await expect(read(brotliCompressSync(Buffer.alloc(16 << 20, 32), QUICK), 8 << 20, ".br")).rejects.toThrow(
      "limit of 8 MiB",
    );
  });

  it.each([
    ["packed", "packed.jsonl.zst", ZSTD],
    ["in UTF-16", "little-endian.jsonl", utf16(PLAIN)],
    ["in UTF-16 with the other byte order", "big-endian.jsonl", utf16(PLAIN).swap16()],
  ])("yields and counts the texts of its items: %s", async (_what, name, bytes) => {
    const runner = new LocalRunner();
    const [plain, packed] = await Promise.all(
      [ORIGINAL, put(folder, name, bytes)].map(async (path) => {
        const answer = await runner.ingest({ path, name: "x" });
        const { version, summary } = answer;
        const session = new OpenedSession(path, answer, runner);
        const items = shownItems(await session.items({ from: 0, to: 50, maxChars: 1000 }));
        return { summary, items, tokens: await runner.count({ path, version, estimator: "codex" }) };
      }),
    );
    expect(packed).toEqual(plain);
    expect(packed?.items.length).toBeGreaterThan(5);
    await runner.close();
  });

  it.each([
    ["gzip", gzipSync(PLAIN, { level: 0 }), -20, "cut off"],
    ["zstd", Buffer.concat([frame([PLAIN.subarray(0, 2000), PLAIN.subarray(2000)])]), -20, "cut off"],
  ])("is read as far as possible if truncated, and reports a problem: %s", async (_what, bytes, at, detail) => {
    const { problems, records } = await read(bytes.subarray(0, at));
    expect(problems).toContainEqual({ code: "unpacking-stopped", detail, count: 1 });
    expect(records.total).toBeGreaterThan(3);
  });

  it("is read up to the damage, and reports a problem", async () => {
    const bytes = Buffer.concat([
      frame([PLAIN.subarray(0, 2000)]),
      Buffer.from("no frame at all, of twenty bytes or more"),
    ]);
    expect((await read(bytes)).problems).toContainEqual({ code: "unpacking-stopped", detail: "damaged", count: 1 });
  });

  it.each([
    ["cut off", gzipSync(PLAIN).subarray(0, 12), /^rollout-\d+\.jsonl is a gzip file that is cut off: nothing/],
    [
      "damaged",
      Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 80, 7, 0, 0, ...new Uint8Array(40)]),
      /is a zstd file that is damaged: nothing/,
    ],
    ["with empty content", gzipSync(""), /^rollout-\d+\.jsonl is empty\.$/],
    ["that contains a compressed file", gzipSync(gzipSync(PLAIN)), /is a binary file, not a transcript\.$/],
  ])("is refused in one sentence: %s", async (_what, bytes, sentence) => {
    await expect(read(bytes)).rejects.toThrow(sentence);
  });
});

it("a compressed file with any byte changed is read, or refused in one sentence", async () => {
  const packed = [ZSTD, gzipSync(PLAIN)];
  await fc.assert(
    fc.asyncProperty(fc.nat(1), fc.nat(1400), fc.nat(255), async (which, at, value) => {
      // The endless case of the decoder is tried below.
      if (which === 0 && at % ZSTD.length === 15) return;
      const bytes = Uint8Array.from(packed[which] ?? []);
      bytes[at % bytes.length] = value;
      await read(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(InputError));
    }),
    { numRuns: runs(150) },
  );
});

it("a Zstandard file with an endless code table is refused in one sentence", async () => {
  const bytes = Uint8Array.from(ZSTD);
  bytes[15] = 3;
  const path = put(folder, "endless.jsonl", bytes);
  const unpacked = SourceFile.use(path, (file) => unpack(file, "zstd", () => undefined, LIMITS.unpackedBytes, 500));
  await expect(unpacked).rejects.toThrow(
    "endless.jsonl is a zstd file that is damaged: nothing of it can be unpacked.",
  );
});

describe("a compression bomb", () => {
  const MIB = 1 << 20;

  it.each([
    ["gzip", gzipSync(Buffer.alloc(64 * MIB, 32))],
    ["zstd", frame(Array.from({ length: 64 }, () => ({ repeat: 32, times: MIB })))],
  ])("is refused once its content exceeds the limit: %s", async (_what, bytes) => {
    expect(bytes.length).toBeLessThan(70_000);
    await expect(read(bytes, 8 * MIB)).rejects.toThrow(/unpacks to more than the limit of 8 MiB\.$/);
  });

  it("is refused if it needs a window of gigabytes, before any memory is allocated", async () => {
    await expect(read(frame([PLAIN.subarray(0, 100)], 21))).rejects.toThrow("unpack it with zstd -d first");
  });

  it("is refused before decompression if it has very many tiny blocks in a large window", async () => {
    const blocks = Array.from({ length: 20_000 }, () => ({ repeat: 10, times: 1 }));
    expect(20_000 * 2 ** (10 + 13)).toBeGreaterThan(LIMITS.zstdMovedBytes);
    const before = processorMs();
    await expect(read(frame(blocks, 13))).rejects.toThrow("unpack it with zstd -d first");
    expect(processorMs() - before).toBeLessThan(2000);
  });
});

describe("an evaluation log in a zip file", () => {
  /** An entry that is deflated, one that is stored, and one in Zstandard, written in the order 10, 2, 9. */
  const EVAL = readFileSync(join(process.cwd(), "lib/server/read/fixtures/samples.eval"));

  /** The log with another number of two bytes in the list of its files, at this place of the last sample's entry. */
  function changed(field: number, value: number): Buffer {
    const bytes = Buffer.from(EVAL);
    const entry = bytes.lastIndexOf("samples/9_epoch_1.json") - 46;
    bytes.writeUInt16LE(value, entry + field);
    return bytes;
  }

  it("is read with every sample as a session, in the order of their names", async () => {
    const { format, requests, problems } = await read(EVAL, undefined, ".eval");
    expect(format).toBe("inspect");
    expect(requests.map(({ usage }) => usage?.input)).toEqual([92, 99, 100]);
    expect(problems.map(({ code }) => code)).toEqual(["several-sessions", "several-sessions"]);
  });

  it("loses only the sample whose bytes are damaged", async () => {
    const bytes = Buffer.from(EVAL);
    const data = bytes.indexOf("samples/10_epoch_1.json") + "samples/10_epoch_1.json".length;
    bytes.fill(0xff, data + 20, data + 60);
    const { requests, problems } = await read(bytes);
    expect(requests.map(({ usage }) => usage?.input)).toEqual([92, 99]);
    expect(problems.map(({ code }) => code)).toContain("unpacking-stopped");
  });

  it.each([
    ["that is cut off", EVAL.subarray(0, -40), /is a zip file that is cut off or damaged/],
    [
      "without samples",
      Buffer.from(EVAL.toString("latin1").replaceAll("samples/", "example/"), "latin1"),
      /without samples of an Inspect log/,
    ],
    ["packed by an unknown method", changed(10, 14), /packed by method 14; only stored/],
    ["that is encrypted", changed(8, 1), /whose entries are encrypted/],
  ])("is rejected with a sentence: one %s", async (_what, bytes, sentence) => {
    await expect(read(bytes)).rejects.toThrow(sentence);
  });

  it("is rejected if it unpacks to more bytes than the limit", async () => {
    await expect(read(EVAL, 100)).rejects.toThrow(/unpacks to more than the limit/);
  });
});
