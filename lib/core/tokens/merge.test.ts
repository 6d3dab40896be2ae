import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs";
import { extendHash } from "./hash";
import { createMerger, mergePiece } from "./merge";
import { ABSENT, findToken, readVocabulary, type Vocabulary } from "./vocabulary";

const encoder = new TextEncoder();

/** Vocabulary of all single bytes, followed by these byte strings in order of rank. */
function vocabularyOf(tokens: readonly Uint8Array[]): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const seen = new Set<string>(bytes.map(String));
  const more = tokens.filter((token) => token.length > 0 && !seen.has(String(token)) && seen.add(String(token)));
  return readVocabulary(`! 0 ${[...bytes, ...more].map((token) => Buffer.from(token).toString("base64")).join(" ")}`);
}

function idOf(vocabulary: Vocabulary, bytes: Uint8Array): number {
  return findToken(vocabulary, bytes, 0, bytes.length, bytes.reduce(extendHash, 0));
}

/** Slow reference implementation: merge the pair with the lowest rank, the leftmost of equals, until there is none. */
function mergeByDefinition(vocabulary: Vocabulary, bytes: Uint8Array): number[] {
  const bounds = Array.from({ length: bytes.length + 1 }, (_, i) => i);
  for (;;) {
    let least = ABSENT;
    let at = 0;
    for (let i = 0; i + 2 < bounds.length; i++) {
      const rank = idOf(vocabulary, bytes.slice(bounds[i], bounds[i + 2]));
      if (rank < least) [least, at] = [rank, i];
    }
    if (least === ABSENT) return bounds;
    bounds.splice(at + 1, 1);
  }
}

function merged(vocabulary: Vocabulary, bytes: Uint8Array): number[] {
  const merger = createMerger();
  const around = Uint8Array.of(0xe4, ...bytes, 0xe5, 0xbd, 0xa9, 0);
  const hashes = new Int32Array(around.length + 1);
  for (let i = 0; i < around.length; i++) hashes[i + 1] = extendHash(hashes[i] ?? 0, around[i] ?? 0);
  const parts = mergePiece(merger, vocabulary, { bytes: around, hashes }, 1, 1 + bytes.length);
  return [...merger.starts.slice(0, parts + 1)].map((start) => start - 1);
}

/** Strings of few letters, so that tokens overlap in many ways. */
const letters = (maxLength: number) =>
  fc.array(fc.constantFrom(..."aab"), { minLength: 1, maxLength }).map((units) => encoder.encode(units.join("")));

/** Texts of few characters. */
const characters = fc
  .array(fc.constantFrom(..."中中国国é "), { minLength: 1, maxLength: 10 })
  .map((units) => encoder.encode(units.join("")));
const halves = [0, 1, 3, 4].map((start) => encoder.encode("中国").slice(start, start + 2));
const whole = ["中", "国", "é", "中中", "中国", "国中", "国国", "é国", " 中", "中国中", "国国国"].map((text) =>
  encoder.encode(text),
);
/** Every substring of two to seven bytes: most contain a part of a character. */
const crossing = [2, 3, 4, 5, 6, 7].flatMap((length) => {
  const bytes = encoder.encode("中中国国中é中 中");
  return Array.from({ length: bytes.length - length }, (_, start) => bytes.slice(start, start + length));
});
/** Tokens in the order of a trained table with a few others inserted, or in any order: a token may come before its parts. */
const someTokens = fc.shuffledSubarray(crossing, { maxLength: 8 }).chain((some) =>
  fc.oneof(
    fc.nat(halves.length + whole.length).map((at) => [...halves, ...whole].toSpliced(at, 0, ...some)),
    fc.shuffledSubarray([...halves, ...whole, ...some], { minLength: whole.length }),
  ),
);

describe("mergePiece", () => {
  it("matches the reference for any table and piece", () => {
    fc.assert(
      fc.property(fc.array(letters(6), { maxLength: 20 }), letters(60), (tokens, piece) => {
        const vocabulary = vocabularyOf(tokens);
        expect(merged(vocabulary, piece)).toEqual(mergeByDefinition(vocabulary, piece));
      }),
    );
  });

  it("matches the reference for long pieces", () => {
    fc.assert(
      fc.property(fc.array(letters(6), { maxLength: 20 }), letters(60), (tokens, unit) => {
        const vocabulary = vocabularyOf(tokens);
        const piece = encoder.encode(new TextDecoder().decode(unit).repeat(Math.ceil(130 / unit.length)));
        expect(merged(vocabulary, piece)).toEqual(mergeByDefinition(vocabulary, piece));
      }),
      { numRuns: runs(25) },
    );
  });

  it("matches the reference if tokens split characters", () => {
    fc.assert(
      fc.property(someTokens, fc.array(characters, { minLength: 10 }), (tokens, pieces) => {
        const vocabulary = vocabularyOf(tokens);
        for (const piece of pieces) expect(merged(vocabulary, piece)).toEqual(mergeByDefinition(vocabulary, piece));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("readVocabulary", () => {
  it("rejects ids with a gap and tables that lack a byte", () => {
    expect(() => readVocabulary("! 5 YQ==")).toThrow("continues with 0");
    expect(() => readVocabulary("! 0 YQ==")).toThrow("a token for byte 0");
  });
});
