import { expect, it } from "vitest";
import { KINDS, type SessionColumns } from "../columns/columns";
import { drawColumns } from "../testing/draw";
import type { ContextView } from "./policy";
import { endWithoutCallsBefore, endWithoutOrphans } from "./selection";

const IMAGE = KINDS.indexOf("image");

/** A view of all rows behind the empty overhead row. */
function viewOf(columns: SessionColumns): ContextView {
  const none = { columns, request: 0, window: 1000, tokensOf: () => 1, synthetic: () => undefined, overhead: 0 };
  return {
    ...none,
    items: {
      length: columns.length - 1,
      at: (position) => position + 1,
      list: () => Int32Array.from({ length: columns.length - 1 }, (_, position) => position + 1),
      clearable: () => [],
      hasClearable: () => false,
      has: () => true,
      isWhole: () => true,
    },
    lastInput: 0,
    lastOutput: 0,
    added: 0,
    history: 0,
    turnStart: false,
    compactions: 0,
    summaryCalls: 0,
  };
}

/** Rows 1 to 6: a call, what was typed, its late result with two images, an answer. */
function lateResult(): SessionColumns {
  const columns = drawColumns("| c5 u10 r5 x3 x3 a5");
  for (const row of [4, 5]) {
    columns.kind[row] = IMAGE;
    columns.message[row] = columns.message[3] ?? -1;
  }
  return columns;
}

it("a result whose call is cut off goes with its images", () => {
  const view = viewOf(lateResult());
  for (const end of [endWithoutCallsBefore, endWithoutOrphans]) {
    expect(end(view, 1)).toEqual([
      [1, 2],
      [5, 6],
    ]);
    expect(end(view, 0)).toEqual([[0, 6]]);
  }
});

it("images of another message stay", () => {
  const columns = lateResult();
  columns.message[5] = 99;
  expect(endWithoutOrphans(viewOf(columns), 1)).toEqual([
    [1, 2],
    [4, 6],
  ]);
});
