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

test("a delta leads from any columns to any others, also as bytes", () => {
  fc.assert(
    fc.property(arbitraryDrawing, arbitraryDrawing, (one, other) => {
      const [before, after] = [counted(one), counted(other)];
      const bytes = encodeDelta(columnsDelta(before, after));
      expect(isDelta(bytes)).toBe(true);
      expect(withDelta(before, decodeDelta(bytes))).toEqual(after);
    }),
  );
});

test("what was there is not sent again: the delta of a session that went on is as large as what it went on by", () => {
  const session = "u10 a20 c5 r7 ".repeat(2000);
  const whole = encodeColumns(counted(session)).length;
  const more = encodeDelta(columnsDelta(counted(session), counted(`${session} u10 a20`))).length;
  const muchMore = encodeDelta(columnsDelta(counted("u10 a20"), counted(`u10 a20 ${"u10 a20 ".repeat(20)}`))).length;
  expect(whole).toBeGreaterThan(500_000);
  expect(more).toBeLessThan(8000);
  expect(muchMore).toBeGreaterThan(more);
});

test("arrays in which nothing changed are shared, and columns stay as they are", () => {
  const before = counted("u10 a20");
  const copy = structuredClone(before);
  const after = withDelta(before, columnsDelta(before, counted("u10 a20")));
  expect(after).toBe(before);
  const grown = withDelta(before, columnsDelta(before, counted("u10 a20 c5")));
  expect(grown.tables.models).toBe(before.tables.models);
  expect(before).toEqual(copy);
});

test("what was known of a session is found anew when it went on without a request or a boundary", () => {
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

test("usage that comes after its response changes what was sent, though no item has come", () => {
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

test("the first item that is another one is told", () => {
  const before = drawColumns("u10 c5 c6");
  expect(sameItems(before, drawColumns("u10 c5 c6 r7"))).toBe(4);
  expect(sameItems(before, drawColumns("u10 c9 c6 r7"))).toBe(2);
  expect(sameItems(before, drawColumns("u10"))).toBe(2);
});

test("a delta of other columns is refused", () => {
  const delta = columnsDelta(drawColumns("u10 a20 c5"), drawColumns("u10 a20 c5 r7"));
  expect(() => withDelta(drawColumns("u10"), delta)).toThrow(CodecError);
  expect(() => decodeDelta(encodeColumns(drawColumns("u10")))).toThrow(CodecError);
});
