import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageSize } from "@/verify/agents/qwen-code/image-size";
import { microcompact } from "@/verify/agents/qwen-code/microcompact";
import { recoverObjects } from "@/verify/agents/qwen-code/recovery";
import { imageTokens, requestTokens } from "@/verify/agents/qwen-code/request-tokens";
import { findSplitPoint } from "@/verify/agents/qwen-code/split-point";
import { withoutAnalysis } from "@/verify/agents/qwen-code/summary";
import { normalizedModel, tokenLimit } from "@/verify/agents/qwen-code/token-limits";
import { autocompactBuffer, computeThresholds, summaryBudget } from "./base/constants";
import { answerOf, type Content, partsOf, responseOf } from "./messages/content";
import { contentTokens } from "./messages/estimates";
import { memoryFiles } from "./report/memory-files";

/** Compares search rules with direct definitions of their results. */

const text = fc.string({ maxLength: 60 }).map((value) => ({ text: value }));
const call = fc
  .integer({ min: 0, max: 4 })
  .map((id) => ({ functionCall: { id: `c${id}`, name: "grep_search", args: {} } }));
const result = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.string({ maxLength: 80 })).map(([id, output]) => ({
  functionResponse: { id: `c${id}`, name: "grep_search", response: { output } },
}));
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.array(fc.oneof(text, result), { minLength: 1, maxLength: 3 }).map((parts) => ({ role: "user", parts })),
  fc.array(fc.oneof(text, call), { minLength: 1, maxLength: 3 }).map((parts) => ({ role: "model", parts })),
);
const history = fc.array(content, { maxLength: 16 });

describe("split point", () => {
  it("is the first cut after the fraction, else the end after an answer, else the last cut", () => {
    fc.assert(
      fc.property(history, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (contents, fraction) => {
        const lengths = contents.map((one) => JSON.stringify(one).length);
        const upTo = (index: number) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
        const isCut = (one: Content) =>
          one.role === "user" && partsOf(one).every((part) => responseOf(part) === undefined);
        const cuts = contents.flatMap((one, index) => (isCut(one) ? [index] : []));
        const reached = cuts.filter((index) => upTo(index) >= upTo(contents.length) * fraction);
        const last = contents.at(-1);
        const answered = last?.role === "model" && partsOf(last).every((part) => part.functionCall === undefined);
        const expected = reached[0] ?? (answered ? contents.length : (cuts.at(-1) ?? 0));
        expect(findSplitPoint(contents, fraction)).toBe(expected);
      }),
    );
  });

  it("never separates a call from a result that follows it", () => {
    const rounds = fc.array(fc.tuple(text, fc.array(fc.string(), { maxLength: 3 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rounds, (turns) => {
        const contents = turns.flatMap(([prompt, outputs], turn): Content[] => [
          { role: "user", parts: [prompt] },
          ...outputs.flatMap((output, at): Content[] => [
            { role: "model", parts: [{ functionCall: { id: `${turn}.${at}`, name: "x", args: {} } }] },
            { role: "user", parts: [{ functionResponse: { id: `${turn}.${at}`, name: "x", response: { output } } }] },
          ]),
          { role: "model", parts: [{ text: "done" }] },
        ]);
        const kept = contents.slice(findSplitPoint(contents, 0.7)).flatMap(partsOf);
        const calls = new Set(kept.flatMap((part) => (part.functionCall as { id?: string } | undefined)?.id ?? []));
        for (const part of kept) {
          const id = responseOf(part)?.id;
          if (id !== undefined) expect(calls.has(String(id))).toBe(true);
        }
      }),
    );
  });
});

describe("micro-compaction", () => {
  it("clears the oldest results until half is left or only the newest remain", () => {
    fc.assert(
      fc.property(
        history,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 6 }),
        (contents, threshold, keep) => {
          const settings = { toolResultsTotalCharsThreshold: threshold, toolResultsNumToKeep: keep };
          const { history: after, meta } = microcompact({ history: contents, settings, sizeOnly: true });
          const outputs = (all: readonly Content[]) =>
            all
              .filter(({ role }) => role === "user")
              .flatMap(partsOf)
              .filter((part) => responseOf(part) !== undefined)
              .map((part) => String(answerOf(responseOf(part)).output));
          const before = outputs(contents);
          const total = before.reduce((sum, output) => sum + output.length, 0);
          if (total <= threshold) {
            expect(after).toBe(contents);
            expect(meta).toBeUndefined();
            return;
          }
          const filled = before.flatMap((output, index) => (output.length > 0 ? [index] : []));
          const wanted = new Set<number>();
          let remaining = total;
          for (const index of filled.slice(0, -keep)) {
            if (remaining <= Math.floor(threshold / 2)) break;
            wanted.add(index);
            remaining -= before[index]?.length ?? 0;
          }
          expect(outputs(after).map((output) => output === "[Old tool result content cleared]")).toEqual(
            before.map((_, index) => wanted.has(index)),
          );
          expect(meta?.toolResultCharsAfter).toBe(remaining);
        },
      ),
    );
  });

  it("clears results after a pause of at least 60 minutes by default", () => {
    const contents: Content[] = Array.from({ length: 7 }, (_, at) => ({
      role: "user",
      parts: [{ functionResponse: { id: `c${at}`, name: "glob", response: { output: "x".repeat(90) } } }],
    }));
    const reason = (gapMinutes: number | undefined) =>
      microcompact({ history: contents, settings: {}, gapMinutes }).meta;
    expect(reason(59.9)).toBeUndefined();
    expect(reason(undefined)).toBeUndefined();
    expect(reason(60)).toMatchObject({ triggerReason: "idle", gapMinutes: 60, toolsCleared: 2, tokensSaved: 46 });
    expect(reason(1e6)?.toolsCleared).toBe(2);
  });
});

describe("thresholds", () => {
  it.each([
    [32_768, 27_852.8, 7_852.8, 30_852.8],
    [131_072, 98_072, 78_072, 108_072],
    [200_000, 167_000, 147_000, 177_000],
    [1_000_000, 850_000, 830_000, 977_000],
  ])("have the documented values for a window of %d", (window, auto, warn, hard) => {
    const got = computeThresholds(window);
    expect(got.auto).toBeCloseTo(auto, 6);
    expect(got.warn).toBeCloseTo(warn, 6);
    expect(got.hard).toBeCloseTo(hard, 6);
  });

  it("match the documented buffer and summary budget", () => {
    expect(autocompactBuffer(131_072, 0.7)).toBe(39_322);
    expect(autocompactBuffer(131_072, 0)).toBe(0);
    expect(autocompactBuffer(131_072, 1.5)).toBe(-65_536);
    expect(summaryBudget(128_000, 131_072)).toBe(2048);
    expect(summaryBudget(200_000, 131_072)).toBe(1);
  });
});

describe("recovery", () => {
  it("finds every record written back to back on a line", () => {
    const between = fc.stringMatching(/^[ \t]*$/);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), between), { minLength: 2 }),
        (records) => {
          const line = records.map(([record, space]) => JSON.stringify(record) + space).join("");
          expect(recoverObjects(line)).toEqual({
            records: records.map(([record]) => JSON.parse(JSON.stringify(record))),
            complete: true,
          });
        },
      ),
    );
  });
});

describe("image sizes", () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(24);
    Buffer.from("89504e470d0a1a0a", "hex").copy(bytes);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0001108012c019003012200021101031101", "hex");
  const bmp = Buffer.alloc(26);
  bmp.write("BM");
  bmp.writeUInt32LE(640, 18);
  bmp.writeUInt32LE(480, 22);
  const webp = Buffer.alloc(30);
  webp.write("RIFF");
  webp.write("WEBPVP8 ", 8);
  webp.writeUInt16LE(320, 26);
  webp.writeUInt16LE(200, 28);
  const tiff = Buffer.alloc(40);
  tiff.write("MM");
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  for (const [at, tag, value] of [
    [10, 256, 90],
    [22, 257, 80],
  ] as const) {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt32BE(value, at + 8);
  }
  const heic = Buffer.alloc(60);
  heic.write("\0\0\0\x0cftypheic");
  heic.writeUInt32BE(48, 12);
  heic.write("meta", 16);
  heic.writeUInt32BE(20, 24);
  heic.write("ispe", 28);
  heic.writeUInt32BE(1024, 36);
  heic.writeUInt32BE(768, 40);

  it.each([
    ["image/png", png(1920, 1080), 1920, 1080],
    ["image/jpeg", jpeg, 400, 300],
    ["image/bmp", bmp, 640, 480],
    ["image/webp", webp, 320, 200],
    ["image/tiff", tiff, 90, 80],
    ["image/heic", heic, 1024, 768],
    ["image/gif", png(10, 10), 512, 512],
    ["image/png", png(10, 10).subarray(0, 23), 512, 512],
    ["image/jpeg", jpeg.subarray(0, 20), 512, 512],
  ])("are read from the header of %s", (mime, bytes, width, height) => {
    expect(imageSize(bytes.toString("base64"), mime)).toEqual({ width, height });
    expect(imageSize(`data:${mime};base64,${bytes.toString("base64")}`, mime)).toEqual({ width, height });
  });

  it("are read from any bytes without an exception", () => {
    const mimes = fc.constantFrom("image/png", "image/jpeg", "image/webp", "image/bmp", "image/tiff", "image/heic");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), mimes, (bytes, mime) => {
        const { width, height } = imageSize(Buffer.from(bytes).toString("base64"), mime);
        expect(width + height).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each([
    [1, 1, 6],
    [512, 512, 326],
    [1920, 1080, 2693],
    [100_000, 100_000, 16_386],
  ])("of %d × %d make %d tokens", (width, height, tokens) => {
    expect(imageTokens({ width, height })).toBe(tokens);
  });
});

it("an empty text part costs its JSON in the request counter, and nothing in the compaction rule", () => {
  const contents = [{ role: "user", parts: [{ text: "" }] }];
  expect(requestTokens(contents).totalTokens).toBe(3);
  expect(contentTokens(contents)).toBe(0);
});

it.each([
  ["a<analysis>x</analysis>\n b", "ab"],
  ["<analysis>x", ""],
  ["<analysis>1</analysis><analysis>2</analysis>S<analysis>3", "S"],
  ["plain", "plain"],
])("the summary %j without its analysis is %j", (raw, stripped) => {
  expect(withoutAnalysis(raw)).toBe(stripped);
});

it.each([
  ["", []],
  ["  \n", []],
  ["rules", ["memory"]],
  ["--- Context from: a ---\nx\n--- End of Context from: b ---", ["memory"]],
  [
    "--- Context from: a ---\nx\n--- End of Context from: a ---\n--- Context from: b/规.md ---\n--- End of Context from: b/规.md ---",
    ["a", "b/规.md"],
  ],
])("the files found in memory %j are %j", (memory, paths) => {
  expect(memoryFiles(memory).map(({ path }) => path)).toEqual(paths);
});

it("the parser finds the same memory files as the program's expression", () => {
  const piece = fc.constantFrom(
    "--- Context from: a ---\n",
    "--- End of Context from: a ---",
    "--- Context from: b b ---\n",
    "--- End of Context from: b b ---",
    "x\n",
    " ---\n",
    "中",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const memory = pieces.join("");
      const found = [...memory.matchAll(/--- Context from: (.+?) ---\n([\s\S]*?)--- End of Context from: \1 ---/g)];
      const expected = found.length > 0 ? found.map((match) => match[1]) : memory.trim() === "" ? [] : ["memory"];
      expect(memoryFiles(memory).map(({ path }) => path)).toEqual(expected);
    }),
  );
});

it.each([
  ["OpenRouter/Qwen/Qwen3-Coder-Plus:free", "current", "qwen3-coder-plus", 1_000_000],
  ["claude-opus-4.7", "current", "claude-opus-4-7", 1_000_000],
  ["kimi-k2-0905", "current", "kimi-k2-0905", 262_144],
  ["qwen-plus-latest", "as-documented", "qwen-plus-latest", 1_000_000],
  ["glm-5", "as-documented", "glm-5", 202_752],
  ["glm-5.2", "current", "glm-5.2", 1_000_000],
  ["unheard-of", "as-documented", "unheard-of", 131_072],
  ["unheard-of", "current", "unheard-of", 200_000],
] as const)("model %s under preset %s is named %s and has a window of %d tokens", (model, preset, name, tokens) => {
  expect(normalizedModel(model, preset)).toBe(name);
  expect(tokenLimit(model, "input", preset)).toBe(tokens);
});
