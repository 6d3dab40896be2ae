import { describe, expect, it } from "vitest";
import { cacheCount, cachedCount, createPieceCache, LONGEST_CACHED } from "./bpe";

const HASH = 12345;

function viewOf(text: string): DataView {
  const view = new DataView(new ArrayBuffer(text.length + 4));
  for (let i = 0; i < text.length; i++) view.setUint8(i, text.charCodeAt(i));
  return view;
}

describe("piece cache", () => {
  const piece = "abcdefghijklmnopqrstuvwx";

  it("finds a piece of any length at any position", () => {
    for (let length = 1; length <= LONGEST_CACHED; length++) {
      const cache = createPieceCache();
      cacheCount(cache, viewOf(`..${piece}`), 2, length, HASH, 7);
      expect(cachedCount(cache, viewOf(`.${piece.slice(0, length)}!!!!`), 1, length, HASH)).toBe(7);
    }
  });

  it("does not confuse two pieces with the same hash", () => {
    const cache = createPieceCache();
    expect(cachedCount(cache, viewOf("a"), 0, 1, 0)).toBe(0);
    cacheCount(cache, viewOf(piece), 0, 10, HASH, 3);
    expect(cachedCount(cache, viewOf(piece), 0, 9, HASH)).toBe(0);
    for (let i = 0; i < 10; i++) {
      const other = `${piece.slice(0, i)}#${piece.slice(i + 1)}`;
      expect(cachedCount(cache, viewOf(other), 0, 10, HASH)).toBe(0);
    }
  });
});
