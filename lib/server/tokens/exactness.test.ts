import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import cl100kTable from "js-tiktoken/ranks/cl100k_base";
import o200kTable from "js-tiktoken/ranks/o200k_base";
import { get_encoding } from "tiktoken";
import { describe, expect, it } from "vitest";
import { runs } from "@/lib/core/testing/runs";
import { hostileText } from "../testing/hostile-text";
import { bpeOf } from "./tables";

const ENCODINGS = [
  { encoding: "o200k", reference: new Tiktoken(o200kTable), native: get_encoding("o200k_base") },
  { encoding: "cl100k", reference: new Tiktoken(cl100kTable), native: get_encoding("cl100k_base") },
] as const;

/** Long pieces without repetition, which no pattern cuts and no cache knows. */
function randomRun(length: number, characterOf: (random: number) => string): string {
  let state = length;
  let text = "";
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    text += characterOf(state >>> 8);
  }
  return text;
}

const RUNS: Readonly<Record<string, (length: number) => string>> = {
  "one letter": (n) => "a".repeat(n),
  capitals: (n) => "A".repeat(n),
  spaces: (n) => " ".repeat(n),
  "line ends": (n) => "\n".repeat(n),
  rulers: (n) => "=".repeat(n),
  "one Chinese character": (n) => "中".repeat(n),
  "random letters": (n) => randomRun(n, (r) => String.fromCharCode(97 + (r % 26))),
  "random Chinese": (n) => randomRun(n, (r) => String.fromCharCode(0x4e00 + (r % 3000))),
  "random Hangul": (n) => randomRun(n, (r) => String.fromCharCode(0xac00 + (r % 11172))),
  "random Thai": (n) => randomRun(n, (r) => String.fromCharCode(0xe01 + (r % 46))),
  "random Cyrillic": (n) => randomRun(n, (r) => String.fromCharCode(0x430 + (r % 32))),
  emoji: (n) => randomRun(n, (r) => String.fromCodePoint(0x1f600 + (r % 80))),
  base64: (n) => randomRun(n, (r) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charAt(r % 64)),
};

describe.each(ENCODINGS)("$encoding", ({ encoding, reference, native }) => {
  const bpe = bpeOf(encoding);

  it("returns js-tiktoken's tokens for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const expected = reference.encode(text, [], []);
        expect(bpe.encode(text)).toEqual(expected);
        expect(bpe.count(text)).toBe(expected.length);
        expect(bpe.count(text)).toBe(expected.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    "",
    "<|endoftext|>",
    "a<|endofprompt|>b",
    "<|fim_prefix|><|im_start|>",
    "\ufeff",
    "\ud800",
    "'\u017f",
    "\u212a's",
  ])("counts %j as ordinary text", (text) => {
    expect(bpe.encode(text)).toEqual(reference.encode(text, [], []));
    expect(bpe.count(text)).toBe(bpe.encode(text).length);
  });

  it.each(Object.entries(RUNS))("agrees with the reference on long pieces: %s", (_, run) => {
    for (const length of [31, 33, 95, 97, 160]) {
      expect(bpe.encode(run(length))).toEqual(reference.encode(run(length), [], []));
    }
    const long = run(1200);
    expect(bpe.encode(long)).toEqual([...native.encode(long, [], [])]);
    expect(bpe.count(long)).toBe(bpe.encode(long).length);
  });

  it("matches the reference count on text longer than one window", () => {
    const pieces = [
      "It's 12:30. ",
      "don't/",
      "中文，标点。",
      "\n\n  ",
      "12345678",
      "e\u0301A\u0301",
      "😀👍🏽",
      "fooBAR",
      "=".repeat(50),
    ];
    const text = randomRun(5000, (r) => pieces[r % pieces.length] ?? "");
    expect(bpe.encode(text)).toEqual([...native.encode(text, [], [])]);
    expect(bpe.count(text)).toBe(bpe.encode(text).length);
  });

  it.each(Object.entries(RUNS))("works in time proportional to the length: %s", (_, run) => {
    const stepsOf = (length: number): number => {
      const fresh = bpe.fresh();
      fresh.count(run(length));
      return fresh.steps;
    };
    expect(stepsOf(8000)).toBeLessThan(5 * stepsOf(2000));
  });
});
