import fc from "fast-check";
import { expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { CUT } from "../base/constants";
import { plannedMessages, unitSizes, unitSums } from "./context-units";
import { groupsOf } from "./planned-messages";

/** All of a session in test notation as a context. */
function viewOf(drawing: string) {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const rows = Int32Array.from({ length: columns.length - columns.overheadRows }, (_, at) => at + columns.overheadRows);
  const items = { length: rows.length, at: (position: number) => rows[position] ?? -1, list: () => rows };
  const view = { columns, items, tokensOf: (item: number) => tokens[item] ?? 0 };
  // The part of a view that units are made from.
  return { view: view as unknown as ContextView, range: { from: 0, to: rows.length } };
}

/** The messages of a range, in their groups. */
const groupsIn = ({ view, range }: ReturnType<typeof viewOf>, from = 0) =>
  groupsOf(plannedMessages(view, { ...range, from }));

it("a plan from columns never separates a call and its results, whatever is between them", () => {
  // An unanswered call stays open until the next response.
  const groups = groupsIn(viewOf("u1 c2 c3 r4 x5 r6 a7 u8 | c9 u10 | a11"));
  const sizes = groups.map((group) => group.map(({ tokens }) => tokens));
  expect(sizes).toEqual([[1], [5, 4, 5, 6], [7], [8], [9, 10, 11]]);
});

it("a plan from columns links a response to its calls and a result to the call it answers", () => {
  const messages = groupsIn(viewOf("c1 | c2 c3 r4 r5 r6 u7 | a8"), 1).flat();
  // Rows are counted from 1; the first result answers a call before the range.
  expect(messages.map(({ calls, answers }) => calls ?? answers)).toEqual([[2, 3], 1, 2, 3, undefined, []]);
});

it("a plan from columns does not wait for the calls of a failed response", () => {
  const drawn = viewOf("u1 | c2 u3 | a4");
  const cut = Int32Array.from([CUT.INSIDE, CUT.TURN, CUT.FAILED, CUT.TURN, CUT.RESPONSE]);
  const view = { ...drawn.view, columns: { ...drawn.view.columns, measures: { "openclaw.cut": cut } } };
  expect(groupsIn({ ...drawn, view }).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  expect(unitSums(view, drawn.range, true).all.to).toBe(4);
});

it("a plan from columns has the same sums by groups as by messages", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const { view, range } = viewOf(drawing);
      const groups = groupsIn({ view, range });
      const sums = unitSums(view, range, true);
      expect(sums.all.to).toBe(groups.length);
      groups.forEach((group, at) => {
        expect(sums.total({ from: at, to: at + 1 })).toBe(sumOf(group.map(({ tokens }) => tokens)));
        expect(sums.messages({ from: at, to: at + 1 })).toBe(group.length);
      });
      expect(groups.flat().map(({ tokens }) => tokens)).toEqual(unitSizes(view, range));
    }),
    { seed: 3 },
  );
});
