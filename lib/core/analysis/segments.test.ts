import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedContext } from "../columns/columns";
import { countedBySize } from "../columns/token-columns";
import { nonePolicy } from "../compaction/policies/none";
import { replay } from "../compaction/replay";
import { recordedSeries } from "../context/recorded";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { segmentsOf } from "./segments";

function segments(drawing: string) {
  const columns = drawColumns(drawing);
  return segmentsOf(countedBySize(columns, "bytes-4"));
}

/** The tokens of a segment's rows, without the overhead. */
function sizes({ columns, tokens }: ReturnType<typeof segments>[number]): number[] {
  return Array.from(tokens.subarray(columns.overheadRows));
}

test("a recording without compactions is a single segment", () => {
  const [only, ...others] = segments("u10 a20 @1000 u30 a40 @1050");
  expect(others).toEqual([]);
  expect(only).toMatchObject({ from: 0, boundary: undefined });
  expect(only && sizes(only)).toEqual([10, 20, 30, 40]);
});

test("a segment ends at the request after the compaction, without later items", () => {
  const [first, second] = segments("u10 a20 @1000 u30 B900 s5 u7 a40 @300 u50 a60 @420");
  expect(first).toMatchObject({ from: 0, boundary: 0 });
  expect(first && sizes(first)).toEqual([10, 20, 30]);
  // The usage of the request after the compaction measures the compacted context.
  expect([0, 1].map((point) => first && recordedContext(first.columns, point))).toEqual([1000, -1]);
  expect(second).toMatchObject({ from: 1, boundary: undefined });
  expect(second && sizes(second)).toEqual([5, 7, 40, 50, 60]);
  expect([0, 1].map((point) => second && recordedContext(second.columns, point))).toEqual([300, 420]);
});

test("the last point of a segment is the recorded usage plus the estimate of later items", () => {
  const [first] = segments("u10 a20 @1000 u30 B s5 a40 @300");
  expect(first && Array.from(recordedSeries(first).context)).toEqual([1000, 1050]);
});

test("a segment has a point after its last request even if the file ends with the compaction", () => {
  const [first, last] = segments("u10 a20 @1000 u30 B s5");
  expect(first?.columns.requests.length).toBe(2);
  expect(last?.columns.requests.length).toBe(0);
});

test("a segment has no point before a manual compaction", () => {
  const [first, second] = segments("u10 a20 @1000 u30 M s5 a40 @300");
  expect(first?.columns.requests.length).toBe(1);
  expect(second).toMatchObject({ from: 1 });
});

test.each([
  ["ended, because a typed message follows the boundary", "u10 a20 @1000 B s5 u30 a40 @300", true],
  [
    "ended, because a typed message follows the content that the agent restored",
    "u10 c5 r6 a20 @1000 B s5 X9 x3 u30 a40 @300",
    true,
  ],
  [
    "ended, because a typed message follows, although a call has no result",
    "u10 a20 @900 u1 c5 @1000 B s5 u30 a40 @300",
    true,
  ],
  ["not ended, because the next item is a response", "u10 c5 @900 r6 B s5 a40 @300", false],
  ["not ended, because the typed message precedes the boundary", "u10 a20 @1000 u30 B s5 a40 @300 u1 a1 @310", false],
  [
    "ended, because the file ends with the boundary and the last response called no tool",
    "u10 c5 r6 a20 @1000 B s5",
    true,
  ],
  ["not ended, because the file ends with the boundary after a tool result", "u10 a20 @900 c5 r6 B s5", false],
  ["not ended, because the file ends with the boundary after a call without a result", "u10 a20 c5 @1000 B s5", false],
  ["not ended, because no response precedes the boundary", "u10 B s5", false],
])("the run before a boundary has %s", (_case, drawing, expected) => {
  expect(segments(drawing)[0]?.runEnded).toBe(expected);
});

test("no run ends before a manual compaction or at the end of a recording", () => {
  expect(segments("u10 a20 @1000 M s5 u30 a40 @300").map(({ runEnded }) => runEnded)).toEqual([false, false]);
});

test("a segment contains the rollbacks between its compactions", () => {
  const [, second] = segments("u9 a9 @90 B s5 u1 a10 @50 u100 a200 @160 <2 u5 a1 @70");
  expect(second).toBeDefined();
  if (second === undefined) return;
  const { context } = replay(second, nonePolicy, {}, { window: 1000, counting: "estimate" });
  const overhead = second.tokens[0] ?? 0;
  expect(Array.from(context)).toEqual([overhead + 6, overhead + 116, overhead + 21]);
});

test("results in a segment refer to their calls by the segment's rows", () => {
  const [, second] = segments("u9 c3 r4 a9 B s5 c10 r20 a1");
  const rows = Array.from(second?.columns.pair ?? []);
  expect(rows).toEqual([-1, -1, 3, 2, -1]);
});

test("every item of the recording is in one segment, and every request in at least one", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const columns = drawColumns(drawing);
      const parts = segmentsOf(countedBySize(columns, "bytes-4"));
      const items = parts.map((part) => part.columns.length - part.columns.overheadRows);
      const compacted = columns.boundaries.length;
      expect(parts).toHaveLength(compacted + 1);
      expect(items.reduce((sum, count) => sum + count, 0)).toBe(columns.length - columns.overheadRows);
      const last = parts.at(-1);
      expect((last?.from ?? 0) + (last?.columns.requests.length ?? 0)).toBe(columns.requests.length);
    }),
  );
});
