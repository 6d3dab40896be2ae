import { describe, expect, it } from "vitest";
import { createTokenCounter } from "./counter";
import { bpeOf } from "./tables";

describe("createTokenCounter", () => {
  it("gives the counts of the encoding", () => {
    const texts = ["", "a", "hello world", "你好".repeat(100), "\ud800", "x".repeat(64), "x".repeat(65)];
    for (const encoding of ["o200k", "cl100k"] as const) {
      const counter = createTokenCounter(encoding);
      for (const text of [...texts, ...texts]) expect(counter.count(text)).toBe(bpeOf(encoding).count(text));
    }
  });

  it("counts each text once, short or long", () => {
    const counter = createTokenCounter("o200k");
    const texts = ["", "short", "a longer text ".repeat(20), "更长的文字".repeat(50)];
    for (let pass = 0; pass < 3; pass++) for (const text of texts) counter.count(text);
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    expect(counter.stats).toEqual({ texts: 12, hits: 8, counted: 4, chars });
  });

  it("distinguishes texts that differ in one character", () => {
    const counter = createTokenCounter("o200k");
    const text = "one two three four ".repeat(10);
    expect(counter.count(`${text}five`)).not.toBe(counter.count(`${text}\u{1F600}\u{1F601}`));
    expect(counter.stats.hits).toBe(0);
  });

  it("reads a table once per process", () => {
    expect(bpeOf("cl100k")).toBe(bpeOf("cl100k"));
  });
});
