import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { runs } from "@/lib/core/testing/runs";
import { expectedRows, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { blockOf } from "@/verify/support/messages";
import { readRecords, readTranscript } from "@/verify/support/read";
import { HIDDEN_PER_REASONING_TOKEN } from "../base/constants";
import { CODEX_PRESETS } from "../base/presets";
import { codexEstimatorOf, codexMeasures } from "../estimator";
import { codexReader } from "../read/reader";
import { itemTokens } from "./estimate";
import { hiddenBytes, isMaskedReasoning, maskedBytes, unmasked } from "./masked";

const reasoning = (encrypted: unknown, more = {}) => ({ type: "reasoning", encrypted_content: encrypted, ...more });

describe("encrypted content", () => {
  it.each([
    ["unmasked content", reasoning("x".repeat(1484)), false, 463],
    ["a mask that states its length", reasoning("[REDACTED_ENCRYPTED_CONTENT len=1484 sha=0a]"), false, 463],
    ["a mask with another wording of the length", reasoning("<encrypted, length: 1484>"), false, 463],
    ["a mask that states a short length", reasoning("[len=12]"), false, 0],
    ["a mask", reasoning("REDACTED"), true, 0],
    ["a mask that states an impossible length", reasoning("[REDACTED_ENCRYPTED_CONTENT len=999999999]"), true, 0],
    ["a mask with a number that is not a length", reasoning("[REDACTED len=n/a sha=1484]"), true, 0],
    ["no encrypted content", reasoning(undefined), true, 0],
    [
      "no encrypted content next to readable reasoning",
      reasoning(null, { content: [{ type: "reasoning_text", text: "hm" }] }),
      false,
      0,
    ],
    ["no encrypted content in an item other than reasoning", { type: "compaction" }, false, 0],
  ])("is measured correctly for %s", (_what, item, masked, bytes) => {
    expect(isMaskedReasoning(item)).toBe(masked);
    expect(hiddenBytes(item)).toBe(bytes);
  });

  it("has no size if its response's reasoning is impossibly large", () => {
    expect(maskedBytes(2, 1000, 0).every((size) => size > 0)).toBe(true);
    expect(maskedBytes(2, 1_000_000_000, 0)).toEqual([0, 0]);
  });

  it("is restored at its estimated size under every preset", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (tokens) => {
        const text = { chars: tokens * 4, bytes: tokens * 4 };
        const item = unmasked(reasoning("REDACTED"), { ...blockOf("thinking", ""), text, estimated: true });
        for (const preset of CODEX_PRESETS) expect(itemTokens(item, preset)).toBe(tokens);
      }),
      { numRuns: runs(30), examples: [[1_000_000]] },
    );
  });
});

describe("masked reasoning in a recording", () => {
  const bytes = readFileSync(`${import.meta.dirname}/../fixtures/masked-reasoning.jsonl`);
  const transcript = readTranscript(bytes, codexReader);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const thinking = transcript.messages.filter(({ blocks }) => blocks[0]?.kind === "thinking");
  const loaded = thinking.map((message) => ({
    message,
    contents: message.blocks.map(({ source }) => {
      const record = records.get(source.offset) ?? {};
      return { record, text: codexReader.texts(record)[source.part] ?? "" };
    }),
  }));
  // Computed by hand: 1.19 × 100, 1.19 × 200; (3 × 1484 / 4 − 650) / 4; half of 1.19 × 101 each; 313 bytes, and 1.19 × 300 minus them.
  const TOKENS = [119, 238, 116, 60, 60, 79, 279];

  it("has 1.19 times its response's reasoning tokens, minus the known part", () => {
    const sizes = thinking.slice(0, TOKENS.length).map(({ blocks }) => Math.ceil((blocks[0]?.text.bytes ?? 0) / 4));
    expect(sizes).toEqual(TOKENS);
    const rule = codexEstimatorOf("current");
    const counted = loaded.map(({ message, contents }) => sumOf(rule.blocks(message, contents, "codex")));
    expect(counted.slice(0, TOKENS.length)).toEqual(TOKENS);
    const hidden = loaded.map(({ message, contents }) => codexMeasures(message, contents, "codex")["codex.hidden"]);
    expect(hidden.slice(0, TOKENS.length).map(([size = 0]) => Math.ceil(size / 4))).toEqual(TOKENS);
  });

  it("is marked as estimated, unless the file states its size or gives no information about it", () => {
    const marks = thinking.map(({ blocks }) => blocks[0]?.estimated === true);
    expect(marks).toEqual([true, true, false, true, true, false, true, false, false]);
    const { flags, kind } = columnsFromTranscript(transcript);
    const rows = Array.from(kind.keys()).filter((row) => kind[row] === 2);
    expect(rows.map((row) => ((flags[row] ?? 0) & 64) !== 0)).toEqual(marks);
    expect(transcript.problems).toContainEqual({ code: "masked-text", line: 5, detail: "encrypted_content", count: 6 });
  });
});

const recordings = expectedRows("codex");

describe.skipIf(recordings.length === 0)(`recordings (${WITHOUT_RECORDINGS} otherwise)`, () => {
  it("have the documented ratio of hidden size to reasoning tokens where both are known", () => {
    const factors = recordings.flatMap(({ path }) => {
      const { requests, messages } = readTranscript(readFileSync(path), codexReader);
      const [hidden, took] = [[0], [0]];
      for (const [index, { message, usage }] of requests.entries()) {
        const response = messages.slice(message, requests[index + 1]?.message);
        const blocks = response.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "thinking"));
        if (blocks.length === 0 || blocks.some(({ estimated, text }) => estimated === true || text.value !== undefined))
          continue;
        hidden.push(...blocks.map(({ text }) => Math.ceil(text.bytes / 4)));
        took.push(usage?.reasoning ?? 0);
      }
      return hidden.length > 20 ? [{ hidden: sumOf(hidden), took: sumOf(took) }] : [];
    });
    expect(factors.length).toBeGreaterThan(1);
    for (const { hidden, took } of factors) {
      expect(hidden / took).toBeGreaterThan(1.14);
      expect(hidden / took).toBeLessThan(1.35);
    }
    const all = sumOf(factors.map(({ hidden }) => hidden)) / sumOf(factors.map(({ took }) => took));
    expect(Math.abs(all - HIDDEN_PER_REASONING_TOKEN)).toBeLessThan(0.02);
  });
});
