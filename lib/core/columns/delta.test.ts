import fc from "fast-check";
import { expect, test } from "vitest";
import { trajectoryOf } from "../compaction/simulation/trajectory";
import { recordedSeries } from "../context/recorded";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { CodecError, encodeColumns } from "./codec";
import type { SessionColumns } from "./columns";
import { columnsDelta, decodeDelta, encodeDelta, isDelta, sameItems, withDelta } from "./delta";
import { recordedMembership } from "./membership";
import { sizeTokenColumn, withTokenColumn } from "./token-columns";

const counted = (drawing: string) => {
  const columns = drawColumns(drawing);
  return withTokenColumn(columns, "bytes-4", sizeTokenColumn(columns, "bytes-4"));
};

test("applying a delta turns any columns into any others, even after encoding", () => {
  fc.assert(
    fc.property(arbitraryDrawing, arbitraryDrawing, (one, other) => {
      const [before, after] = [counted(one), counted(other)];
      const bytes = encodeDelta(columnsDelta(before, after));
      expect(isDelta(bytes)).toBe(true);
      expect(withDelta(before, decodeDelta(bytes))).toEqual(after);
    }),
  );
});

test("a delta of a continued session is as large as its new rows", () => {
  const session = "u10 a20 c5 r7 ".repeat(2000);
  const whole = encodeColumns(counted(session)).length;
  const more = encodeDelta(columnsDelta(counted(session), counted(`${session} u10 a20`))).length;
  const muchMore = encodeDelta(columnsDelta(counted("u10 a20"), counted(`u10 a20 ${"u10 a20 ".repeat(20)}`))).length;
  expect(whole).toBeGreaterThan(500_000);
  expect(more).toBeLessThan(8000);
  expect(muchMore).toBeGreaterThan(more);
});

test("applying a delta shares unchanged arrays and does not modify the earlier columns", () => {
  const before = counted("u10 a20");
  const copy = structuredClone(before);
  const after = withDelta(before, columnsDelta(before, counted("u10 a20")));
  expect(after).toBe(before);
  const grown = withDelta(before, columnsDelta(before, counted("u10 a20 c5")));
  expect(grown.tables.models).toBe(before.tables.models);
  expect(before).toEqual(copy);
});

test("applying a delta resets cached results even without a new request or boundary", () => {
  const drawing = "u10 a20 c5 r7";
  const before = counted(drawing);
  const after = counted(`${drawing} u9`);
  const found = [recordedMembership, trajectoryOf].map((find) => {
    find(before);
    return [find(withDelta(before, columnsDelta(before, after))), find(after)] as const;
  });
  expect([after.requests.length, after.boundaries.length]).toEqual([before.requests.length, before.boundaries.length]);
  for (const [grown, expected] of found) expect(grown).toEqual(expected);
});

test("usage that arrives after its response changes the sent tokens without a new item", () => {
  const [before, after] = [counted("u10 a20 @1000 u10 a20"), counted("u10 a20 @1000 u10 a20 @5000")];
  const contextOf = (columns: SessionColumns) =>
    recordedSeries({ columns, tokens: columns.tokens["bytes-4"] ?? new Int32Array(0) }).context;
  contextOf(before);
  expect(contextOf(withDelta(before, columnsDelta(before, after)))).toEqual(contextOf(after));
  expect(contextOf(after)).not.toEqual(contextOf(before));
});

test("a result that answers an earlier call changes that call's row", () => {
  const before = drawColumns("u10 c5 c6");
  const delta = columnsDelta(before, drawColumns("u10 c5 c6 r7"));
  expect(Array.from(withDelta(before, delta).pair)).toEqual([-1, -1, 4, -1, 2]);
});

test("sameItems returns the first item that differs", () => {
  const before = drawColumns("u10 c5 c6");
  expect(sameItems(before, drawColumns("u10 c5 c6 r7"))).toBe(4);
  expect(sameItems(before, drawColumns("u10 c9 c6 r7"))).toBe(2);
  expect(sameItems(before, drawColumns("u10"))).toBe(2);
});

test("applying a delta to other columns throws", () => {
  const delta = columnsDelta(drawColumns("u10 a20 c5"), drawColumns("u10 a20 c5 r7"));
  expect(() => withDelta(drawColumns("u10"), delta)).toThrow(CodecError);
  expect(() => decodeDelta(encodeColumns(drawColumns("u10")))).toThrow(CodecError);
});
