import fc from "fast-check";
import { expect, it } from "vitest";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { total } from "./chunk-sizes";
import { messageGroups, unitSizes, unitSums } from "./context-units";

/** The whole of a drawn session as a context. */
function viewOf(drawing: string) {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const rows = Int32Array.from({ length: columns.length - columns.overheadRows }, (_, at) => at + columns.overheadRows);
  const items = { length: rows.length, at: (position: number) => rows[position] ?? -1, list: () => rows };
  const view = { columns, items, tokensOf: (item: number) => tokens[item] ?? 0 };
  // As much of a view as units are made of.
  return { view: view as unknown as ContextView, range: { from: 0, to: rows.length } };
}

it("parts nothing between a call and its results, whatever stands between", () => {
  // A call that nothing answers is open until the next response is there.
  const { view, range } = viewOf("u1 c2 c3 r4 x5 r6 a7 u8 | c9 u10 | a11");
  const groups = messageGroups(view, range);
  const sizes = groups.map((group) => group.map(({ tokens }) => tokens));
  expect(sizes).toEqual([[1], [5, 4, 5, 6], [7], [8], [9, 10, 11]]);
  const others = groups.map((group) => group.filter(({ isExchange }) => isExchange !== true));
  expect(others.flat().map(({ tokens }) => tokens)).toEqual([1, 5, 8, 10]);
});

it("knows in which group the call of a result is", () => {
  const { view, range } = viewOf("c1 | c2 c3 r4 r5 r6 | c7 | a8 r9");
  const calls = messageGroups(view, { ...range, from: 1 }).map((group) => group.map(({ callGroup }) => callGroup));
  // The first result answers a call before the range, the last one a call that the next response closed.
  expect(calls).toEqual([[undefined, -1, 0, 0], [undefined, undefined], [1]]);
});

it("sums groups and messages alike", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const { view, range } = viewOf(drawing);
      const groups = messageGroups(view, range);
      const sums = unitSums(view, range, true);
      expect(sums.all.to).toBe(groups.length);
      groups.forEach((group, at) => {
        expect(sums.total({ from: at, to: at + 1 })).toBe(total(group.map(({ tokens }) => tokens)));
        expect(sums.messages({ from: at, to: at + 1 })).toBe(group.length);
      });
      expect(groups.flat().map(({ tokens }) => tokens)).toEqual(unitSizes(view, range));
    }),
    { seed: 3 },
  );
});
