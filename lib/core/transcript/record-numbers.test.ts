import { describe, expect, it } from "vitest";
import { TranscriptBuilder } from "./builder";
import type { RequestPoint } from "./model";
import { isTime, isTokens, RecordNumbers } from "./record-numbers";

const reported: string[] = [];
const numbers = new RecordNumbers((_, field) => reported.push(field));
const reportsOf = (read: () => unknown) => {
  reported.length = 0;
  return [read(), [...reported]];
};

describe("a usage object", () => {
  const fields: string[] = [];
  const reader = new RecordNumbers((code, field) => fields.push(`${code} ${field}`));
  const unknownIn = (usage: unknown, ...known: readonly string[]) => {
    fields.length = 0;
    reader.unknownUsage(usage, new Set(known));
    return [...fields];
  };

  it("reports unknown numbers by their paths, at any depth and in lists", () => {
    const usage = { input: 5, more: { deep: { a: 1 } }, passes: [{ a: 2 }, { a: 0, b: 3 }, 4], ids: [1, 2] };
    expect(unknownIn(usage, "input", "ids")).toEqual(
      ["more.deep.a", "passes.a", "passes.b", "passes"].map((path) => `unknown-usage-field ${path}`),
    );
    expect(unknownIn(usage, "input", "ids", "more", "passes")).toEqual([]);
    expect(unknownIn(usage, "input", "ids", "passes", "more.deep.a")).toEqual([]);
  });

  it("reports nothing for zeros, texts, flags, absent values, or a usage that is not an object", () => {
    expect(unknownIn({ a: 0, b: "5", c: true, d: null, e: {}, f: [] })).toEqual([]);
    expect([null, 5, "5", [5], undefined].flatMap((usage) => unknownIn(usage))).toEqual([]);
  });

  it("may have the names of inherited properties as fields", () => {
    expect(unknownIn(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([
      "unknown-usage-field __proto__",
      "unknown-usage-field constructor",
    ]);
  });

  it("may be nested to any depth", () => {
    let usage: unknown = { a: 1 };
    for (let depth = 0; depth < 100_000; depth++) usage = { a: usage };
    expect(unknownIn(usage)).toEqual([]);
  });
});

describe("a number in a record", () => {
  it.each([0, 1, 1_000_000_000])("%d can be a count of tokens", (value) => {
    expect(isTokens(value)).toBe(true);
    expect(reportsOf(() => numbers.tokens(value, "input"))).toEqual([value, []]);
  });

  it.each([-1, 0.5, 1_000_000_001, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, "12", true, [], {}])(
    "%s cannot be a count of tokens",
    (value) => {
      expect(isTokens(value)).toBe(false);
      expect(reportsOf(() => numbers.tokens(value, "input"))).toEqual([undefined, ["input"]]);
    },
  );

  it.each([undefined, null])("%s counts as absent, not as a problem", (value) => {
    expect(reportsOf(() => [numbers.tokens(value, "input"), numbers.sum(value, "total")])).toEqual([
      [undefined, undefined],
      [],
    ]);
  });

  it("may be up to the largest exact integer if it is a sum over a session", () => {
    expect(reportsOf(() => numbers.sum(2 ** 53 - 1, "total"))).toEqual([2 ** 53 - 1, []]);
    for (const value of [2 ** 53, -1, 0.5]) {
      expect(reportsOf(() => numbers.sum(value, "total"))).toEqual([undefined, ["total"]]);
    }
  });

  it.each([0, Date.UTC(2026, 1, 1), Date.UTC(2100, 11, 31, 23, 59, 59, 999)])("%d can be a time", (at) => {
    expect(isTime(at)).toBe(true);
    expect(reportsOf(() => numbers.time(at, "time"))).toEqual([at, []]);
  });

  it.each([-1, Date.UTC(2101, 0, 1), 8.64e15, 1e300, Number.POSITIVE_INFINITY])("%d cannot be a time", (at) => {
    expect(reportsOf(() => numbers.time(at, "time"))).toEqual([undefined, ["time"]]);
  });

  it("counts as absent, without a problem, if it is a text that is not a time", () => {
    expect(reportsOf(() => [numbers.time(Number.NaN, "time"), numbers.time(undefined, "time")])).toEqual([
      [undefined, undefined],
      [],
    ]);
  });
});

describe("the builder", () => {
  const point = (rest: Partial<RequestPoint>) => ({ message: 0, line: 4, ...rest });
  const built = (write: (builder: TranscriptBuilder) => void) => {
    const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
    builder.message({ role: "assistant", origin: "response", line: 1, blocks: [] });
    write(builder);
    return builder.finish("x", null);
  };
  const odd = (line: number, detail: string) => ({ code: "impossible-figure", line, detail, count: 1 });

  it("takes a session's start and end from possible times, and reports impossible ones", () => {
    const { startedAt, endedAt, problems } = built((builder) => {
      expect(builder.time(-5, 2)).toBeUndefined();
      expect(builder.time(7, 3)).toBe(7);
      expect(builder.time(Number.NaN, 4)).toBeUndefined();
      expect(builder.time(undefined, 5)).toBeUndefined();
    });
    expect([startedAt, endedAt, problems]).toEqual([7, 7, [odd(2, "time")]]);
  });

  it("drops a usage whose sent tokens, or their sum, are impossible", () => {
    const most = 1_000_000_000;
    for (const usage of [
      { input: -1 },
      { input: 5, cacheRead: 0.5 },
      { input: most, cacheRead: 1 },
      { input: 0, cacheRead: most, cacheWrite: most },
    ]) {
      const { requests, problems } = built((builder) => builder.request(point({ usage, model: "m" })));
      expect([requests, problems]).toEqual([[point({ model: "m" })], [odd(4, "usage")]]);
    }
    const largest = { input: most - 2, cacheRead: 1, cacheWrite: 1, output: most, reasoning: most };
    const { requests, problems } = built((builder) => builder.request(point({ usage: largest })));
    expect([requests, problems]).toEqual([[point({ usage: largest })], []]);
  });

  it("treats an impossible output as not recorded and keeps the rest of the usage", () => {
    const { requests, problems } = built((builder) => {
      builder.request(point({}));
      builder.amendRequest({ usage: { input: 5, output: 2 ** 31, reasoning: -1 } });
    });
    expect(requests).toEqual([point({ usage: { input: 5 } })]);
    expect(problems).toEqual([odd(4, "output"), odd(4, "reasoning")]);
  });

  it("treats impossible sizes of a boundary as not recorded", () => {
    const boundary = { kind: "compaction", line: 3, trigger: "auto", message: 1, kept: [], clearedCalls: [] } as const;
    const { boundaries, problems } = built((builder) =>
      builder.boundary({ ...boundary, at: 1e300, took: -1, tokensBefore: 2 ** 31, tokensAfter: 9 }),
    );
    expect(boundaries).toEqual([{ ...boundary, tokensAfter: 9 }]);
    expect(problems).toEqual([odd(3, "duration"), odd(3, "tokensBefore")]);
  });

  it("keeps the known window if a later one is impossible", () => {
    const { recordedWindow } = built((builder) => {
      builder.facts({ recordedWindow: 1000 });
      for (const window of [0, -1, 1e300, 2 ** 31]) builder.facts({ recordedWindow: window });
    });
    expect(recordedWindow).toBe(1000);
  });

  it("drops impossible times of messages and requests", () => {
    const { messages, requests } = built((builder) => {
      builder.message({ role: "user", origin: "typed", line: 2, at: -1, blocks: [] });
      builder.request(point({ at: 1e300 }));
    });
    expect(messages[1]).toEqual({ role: "user", origin: "typed", line: 2, blocks: [] });
    expect(requests).toEqual([point({})]);
  });
});
