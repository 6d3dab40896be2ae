import fc from "fast-check";
import { expect, test } from "vitest";
import { KIND } from "../../columns/columns";
import { NEVER } from "../../columns/membership";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import { openCalls, trajectoryOf } from "./trajectory";

test("the earliest of parallel calls without a result counts as open", () => {
  const columns = drawColumns("u1 c1 c1 c1 r1 r1 r1 a1");
  const { earliest, hasEarlyResults } = trajectoryOf(columns).openCalls;
  const first = columns.kind.indexOf(KIND.tool_call);
  // The results follow the calls, in the same order.
  expect(Array.from(earliest.subarray(first, first + 7))).toEqual([
    first,
    first,
    first,
    first + 1,
    first + 2,
    NEVER,
    NEVER,
  ]);
  expect(hasEarlyResults).toBe(false);
});

test("the index of open calls equals a search through all calls at every row", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 6 }), (drawing, more) => {
      const columns = drawColumns(drawing);
      const calls = Array.from(columns.kind.keys()).filter((row) => columns.kind[row] === KIND.tool_call);
      const moreResults = new Map(
        more.flatMap(([at, result]) => {
          const call = calls[at];
          return call === undefined || result >= columns.length ? [] : [[call, [columns.pair[call] ?? -1, result]]];
        }),
      );
      const resultsOf = (call: number) => moreResults.get(call) ?? [columns.pair[call] ?? -1];
      const open = openCalls(columns, moreResults);
      const expected = Array.from(columns.kind, (_, row) =>
        calls.find((call) => call <= row && resultsOf(call).some((result) => result > row)),
      );
      expect(Array.from(open.earliest)).toEqual(expected.map((call) => call ?? NEVER));
      const hasEarlyResults = calls.some((call) => resultsOf(call).some((result) => result >= 0 && result < call));
      expect(open.hasEarlyResults).toBe(hasEarlyResults);
    }),
  );
});
