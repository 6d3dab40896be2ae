import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categoryCode } from "../base/categories";
import { sumOf } from "../base/numbers";
import { KIND, type SessionColumns } from "../columns/columns";
import { recordedMembership } from "../columns/membership";
import { sizeTokenColumn } from "../columns/token-columns";
import { type ContextOverhead, NO_OVERHEAD, splitOverhead, withOverhead } from "../context/context-overhead";
import { recordedSeries } from "../context/recorded";
import type { BoundaryCost } from "../cost/boundary-cost";
import { cacheMisses } from "../cost/cache-misses";
import { pricedRequests } from "../cost/priced-requests";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { drawRequests } from "../testing/draw-requests";
import { inputPrices } from "./input-prices";
import { measuredContext } from "./measured-context";
import { recordedStays } from "./stays";
import { type WasteFacts, wasteIn } from "./waste";

/** A session with its context, at 2 micro-dollars for a new token and 1 for one that was sent before. */
function factsOf(
  columns: SessionColumns,
  overhead: ContextOverhead = NO_OVERHEAD,
  sizes: Int32Array = sizeTokenColumn(columns, "bytes-4"),
) {
  const counted = { columns, tokens: sizes };
  const tokens = withOverhead(counted, overhead);
  const series = splitOverhead(recordedSeries({ columns, tokens }), overhead);
  const measured = measuredContext(columns, recordedStays({ columns, tokens }, recordedMembership(columns)), series);
  const inputs = Array.from(series.context, (context, request) => {
    const uncached = Math.max(0, context - (series.context[request - 1] ?? 0));
    return { request, uncached, uncachedCost: 2 * uncached, readCost: context - uncached };
  });
  return { measured, overhead, prices: inputPrices(measured, inputs) };
}

function foundIn(drawing: string, more: (columns: SessionColumns) => Partial<WasteFacts> = () => ({})) {
  const columns = drawColumns(drawing);
  return wasteIn({ ...factsOf(columns), ...more(columns) });
}

/** Rows of results of one file with equal texts. */
function sameFile(rows: readonly number[]) {
  return (columns: SessionColumns): Partial<WasteFacts> => {
    const [file, content] = [new Int32Array(columns.length).fill(-1), new Int32Array(columns.length)];
    for (const row of rows) [file[row], content[row]] = [0, 1];
    return { ...factsOf({ ...columns, file, tables: { ...columns.tables, files: ["/a.ts"] } }), content };
  };
}

describe("a file read again unchanged", () => {
  // Rows: the inferred overhead, u, c, r400, c, r400, a, a. The second copy is in requests 2 and 3.
  const TWICE = "u10 c1 r400 c1 r400 a5 | a5";

  it("wastes the later copy in every request that sends both", () => {
    expect(foundIn(TWICE, sameFile([3, 5]))).toEqual([
      {
        kind: "read-again",
        rows: [{ name: "/a.ts", items: [3, 5], request: 2, count: 1, tokens: 800, cost: 2 * 400 + 400 }],
      },
    ]);
  });

  it("is not waste if the earlier copy was dropped or cleared, or if the file is small", () => {
    expect(foundIn("u10 c1 r400 a5 B s40 u5 c1 r400 a5 | a5", sameFile([3, 8]))).toEqual([]);
    expect(foundIn("u10 c1 r400 -1 c1 r400 a5 | a5", sameFile([3, 5]))).toEqual([]);
    expect(foundIn("u10 c1 r199 c1 r199 a5 | a5", sameFile([3, 5]))).toEqual([]);
  });

  it("is unknown if the texts were not compared", () => {
    expect(foundIn(TWICE, (columns) => ({ ...sameFile([3, 5])(columns), content: undefined }))).toEqual([]);
  });
});

describe("a large output of which only the outcome was used", () => {
  const texts = (fresh: number, used: number) => (columns: SessionColumns) => ({
    use: {
      fresh: Int32Array.from(columns.kind, (kind) => (kind === KIND.tool_result ? fresh : 0)),
      used: Int32Array.from(columns.kind, (kind) => (kind === KIND.tool_result ? used : 0)),
    },
  });
  // The output enters with request 1 and is sent with requests 1 to 5.
  const OUTPUT = "u10 c1 r2000 a5 | a5 | a5 | a5 | a5";

  it("wastes its tokens in every request after the first one that sent it", () => {
    expect(foundIn(OUTPUT, texts(20, 0))).toEqual([
      {
        kind: "unused-outputs",
        rows: [{ name: "file-1.ts", items: [3], request: 2, count: 4, tokens: 8000, cost: 8000 }],
      },
    ]);
  });

  it("is not waste if a later text uses it, if it has few new terms, or if it is short", () => {
    expect(foundIn(OUTPUT, texts(20, 1))).toEqual([]);
    expect(foundIn(OUTPUT, texts(19, 0))).toEqual([]);
    expect(foundIn("u10 c1 r999 a5 | a5 | a5 | a5 | a5", texts(20, 0))).toEqual([]);
    expect(foundIn("u10 c1 r2000 a5 | a5 | a5", texts(20, 0))).toEqual([]);
  });
});

it("an image is waste in the requests of later turns", () => {
  // Requests 0 and 1 belong to the picture's turn, 2 to 4 to the next one.
  const withPicture = (columns: SessionColumns) =>
    factsOf(
      { ...columns, kind: columns.kind.map((kind, row) => (row === 1 ? KIND.image : kind)) },
      NO_OVERHEAD,
      sizeTokenColumn(columns, "bytes-4"),
    );
  expect(foundIn("u300 a5 | a5 u5 a5 | a5 | a5", withPicture)).toEqual([
    { kind: "images", rows: [{ name: undefined, items: [1], request: 2, count: 3, tokens: 900, cost: 900 }] },
  ]);
  expect(foundIn("u199 a5 | a5 u5 a5 | a5 | a5", withPicture)).toEqual([]);
  expect(foundIn("u300 a5 | a5 | a5 | a5 | a5", withPicture)).toEqual([]);
});

describe("instruction files", () => {
  it("in the session file are sent with every request from the one that adds them", () => {
    const asMemory = (columns: SessionColumns) =>
      factsOf({
        ...columns,
        category: columns.category.map((code, row) => (row === 1 ? categoryCode("memoryFiles") : code)),
      });
    expect(foundIn("X1500 u10 a5 | a5 | a5", asMemory)).toEqual([
      { kind: "instructions", rows: [{ name: undefined, items: [1], request: 0, count: 3, tokens: 4500, cost: 6000 }] },
    ]);
    expect(foundIn("X999 u10 a5 | a5 | a5", asMemory)).toEqual([]);
  });

  it("in a context profile are listed by name", () => {
    const items = [{ name: "CLAUDE.md", tokens: 1200 }];
    const overhead = { categories: [{ id: "memoryFiles" as const, tokens: 1200, items }] };
    const found = wasteIn(factsOf(drawColumns("u10 a5 | a5"), overhead));
    expect(found).toMatchObject([{ kind: "instructions", rows: [{ name: "CLAUDE.md", count: 2, tokens: 2400 }] }]);
  });
});

it("a declared tool is waste if the session never calls it", () => {
  const columns = drawColumns("u10 c5 r20 a5");
  const tool = columns.tool.map((_, row) => (columns.kind[row] === KIND.tool_call ? 0 : -1));
  const named = { ...columns, tool, tables: { ...columns.tables, tools: ["Read"] } };
  const items = [
    { name: "Read", tokens: 10 },
    { name: "Other", tokens: 30 },
  ];
  const overhead = { categories: [{ id: "builtinTools" as const, tokens: 40, items }] };
  expect(wasteIn(factsOf(named, overhead))).toEqual([
    {
      kind: "unused-tools",
      outOf: 2,
      // 30 tokens with both requests: new in neither of them, since no item says when the overhead was new.
      rows: [{ name: "Other", items: [], request: 0, count: 2, tokens: 60, cost: expect.any(Number) }],
    },
  ]);
});

it("a pause longer than the cache TTL wastes the tokens that are sent uncached again", () => {
  const columns = drawRequests([{ write: 100_000 }, { at: 10, write: 101_000 }, { at: 11, read: 101_000, write: 500 }]);
  const misses = cacheMisses(columns, pricedRequests(columns, LISTED_PRICES));
  // 100,000 tokens written at $6.25 a million and not read at $0.50.
  expect(wasteIn({ ...factsOf(columns), misses })).toEqual([
    { kind: "idle-misses", rows: [{ items: [], request: 1, count: 1, tokens: 100_000, cost: 575_000 }] },
  ]);
});

it("a compaction is waste if fewer requests follow than it takes to pay", () => {
  const compaction = (request: number, breakEven: number | undefined): BoundaryCost => ({
    ...{ request, breakEven, rewriting: 100, call: 50, callIsRecorded: true },
  });
  const compactions = [compaction(1, 3), compaction(4, 2), compaction(6, undefined)];
  // 3 requests follow the first compaction, 2 the second.
  expect(foundIn("u1 a1 | a1 | a1 | a1 | a1 | a1 | a1", () => ({ compactions }))).toEqual([]);
  expect(
    foundIn("u1 a1 | a1 | a1 | a1 | a1 | a1 | a1", () => ({ compactions: [compaction(1, 4), compaction(4, 1)] })),
  ).toEqual([
    // Three of the four requests that it takes have earned back three quarters of 150.
    { kind: "unpaid-compactions", outOf: 2, rows: [{ items: [], request: 1, count: 3, breakEven: 4, cost: 37.5 }] },
  ]);
  const never = compaction(4, Number.POSITIVE_INFINITY);
  expect(foundIn("u1 a1 | a1 | a1 | a1 | a1 | a1 | a1", () => ({ compactions: [never] }))).toMatchObject([
    { rows: [{ request: 4, cost: 150 }] },
  ]);
});

it("inherited requests are not waste of this session", () => {
  const columns = drawColumns("u300 a5 | a5 u5 a5 | a5 | a5 | a5");
  const inherited = Uint8Array.from(columns.requests.inherited, (_, request) => (request < 3 ? 1 : 0));
  const requests = { ...columns.requests, inherited };
  const kind = columns.kind.map((one, row) => (row === 1 ? KIND.image : one));
  const facts = factsOf({ ...columns, kind, requests }, NO_OVERHEAD, sizeTokenColumn(columns, "bytes-4"));
  expect(wasteIn(facts)).toMatchObject([{ rows: [{ request: 3, tokens: 900 }] }]);
});

describe("waste", () => {
  it("is at most the tokens sent and the cost paid", () => {
    fc.assert(
      fc.property(
        arbitraryDrawing,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 40 }),
        (drawing, texts, scale) => {
          const drawn = drawColumns(drawing);
          const kind = drawn.kind.map((one, row) => (one === KIND.text && row % 3 === 0 ? KIND.image : one));
          const category = drawn.category.map((code, row) =>
            kind[row] === KIND.text && row % 5 === 4 ? categoryCode("memoryFiles") : code,
          );
          const bytes = drawn.bytes.map((size) => size * scale);
          const tables = { ...drawn.tables, files: ["/a.ts"] };
          const columns = { ...drawn, kind, category, bytes, tables, file: new Int32Array(drawn.length) };
          const facts = factsOf(columns);
          const found = wasteIn({
            ...facts,
            content: Int32Array.from(columns.kind, (_, row) => (row % texts) + 1),
            use: { fresh: new Int32Array(columns.length).fill(99), used: new Int32Array(columns.length) },
          });
          const { context } = facts.measured.series;
          const paid = facts.prices.upTo(context.length - 1);
          const rows = found.flatMap((one) => one.rows);
          expect(sumOf(rows.map(({ tokens = 0 }) => tokens))).toBeLessThanOrEqual(sumOf([...context]) + 1e-3);
          expect(sumOf(rows.map(({ cost = 0 }) => cost))).toBeLessThanOrEqual(paid + 1e-3);
          for (const { tokens = 0, cost = 0 } of rows) expect(Math.min(tokens, cost)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
