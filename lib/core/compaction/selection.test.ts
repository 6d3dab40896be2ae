import { describe, expect, it } from "vitest";
import { KIND, type SessionColumns } from "../columns/columns";
import { drawColumns } from "../testing/draw";
import type { ContextView } from "./policy/policy";
import { endWithCalls, endWithoutCallsBefore, recentFrom, recentTyped } from "./selection";

/** A view of all rows after the empty overhead row, or of some of them, with the given sizes. A row beyond the columns is a summary. */
function viewOfRows(columns: SessionColumns, rows: readonly number[]): ContextView {
  const view = viewOf(columns);
  const items = { ...view.items, length: rows.length, at: (position: number) => rows[position] ?? -1 };
  const tokensOf = (row: number) => (columns.chars[row] ?? 0) / 4;
  return { ...view, tokensOf, items: { ...items, list: () => Int32Array.from(rows) } };
}

/** A view of all rows after the empty overhead row, with one token each. */
function viewOf(columns: SessionColumns): ContextView {
  const sizes = { tokensOf: () => 1, countOf: () => 1 };
  const none = { ...sizes, columns, request: 0, window: 1000, synthetic: () => undefined, overhead: 0 };
  return {
    ...none,
    items: {
      length: columns.length - 1,
      at: (position) => position + 1,
      list: () => Int32Array.from({ length: columns.length - 1 }, (_, position) => position + 1),
      results: () => new Int32Array(0),
      clearable: () => [],
      hasClearable: () => false,
      has: () => true,
      isWhole: () => true,
    },
    sent: new Int32Array(1),
    lastInput: 0,
    lastOutput: 0,
    recordedOutput: undefined,
    firstInput: 0,
    added: 0,
    addedCount: 0,
    history: 0,
    turnStart: false,
    compactions: 0,
    summaryCalls: 0,
  };
}

/** Rows 1 to 6: a call, a typed message, the call's late result with two images, an answer. */
function lateResult(): SessionColumns {
  const columns = drawColumns("| c5 u10 r5 x3 x3 a5");
  for (const row of [4, 5]) {
    columns.kind[row] = KIND.image;
    columns.message[row] = columns.message[3] ?? -1;
  }
  return columns;
}

it("a selection drops a result and its images with its call", () => {
  const view = viewOf(lateResult());
  for (const end of [endWithoutCallsBefore, endWithCalls]) {
    expect(end(view, 1)).toEqual([
      [1, 2],
      [5, 6],
    ]);
    expect(end(view, 0)).toEqual([[0, 6]]);
  }
});

it("a selection keeps images that belong to another message", () => {
  const columns = lateResult();
  columns.message[5] = 99;
  expect(endWithCalls(viewOf(columns), 1)).toEqual([
    [1, 2],
    [4, 6],
  ]);
});

describe("the newest messages within a budget", () => {
  // Rows 1 to 6: a typed message of two blocks, an answer of two blocks, a typed message of two blocks.
  const columns = drawColumns("u10+20 | t5 a5 u30+40");
  const all = [1, 2, 3, 4, 5, 6];
  const from = (rows: readonly number[], budget: number, messages = 0) =>
    recentFrom(viewOfRows(columns, rows), budget, messages);

  it("are whole messages", () => {
    expect(from(all, 69)).toBe(6);
    expect(from(all, 70)).toBe(4);
    expect(from(all, 79)).toBe(4);
    expect(from(all, 80)).toBe(2);
    expect(from(all, 110)).toBe(0);
  });

  it("are at least the requested number", () => {
    expect(from(all, 0, 1)).toBe(4);
    expect(from(all, 0, 2)).toBe(2);
    expect(from(all, 0, 9)).toBe(0);
  });

  it("reach back to the last summary at most, even to a message without its first block", () => {
    const summary = columns.length;
    expect(from([summary, 2, 3, 4], 1000)).toBe(1);
    expect(from([summary, 2, 3, 4], 29)).toBe(2);
    expect(from([summary, 2, 3, 4], 30)).toBe(1);
    expect(from([summary, 6], 39)).toBe(2);
    expect(from([summary, 6], 40)).toBe(1);
    expect(from([summary, 2, 6], 0, 1)).toBe(2);
    expect(from([2, summary], 1000)).toBe(2);
  });
});

describe("typed messages within a budget", () => {
  const columns = drawColumns("u10+20 | a5 u30+40 | a5");

  it("are taken block by block, and the last block is truncated", () => {
    const typed = (budget: number, before = 6) => recentTyped(viewOfRows(columns, [1, 2, 3, 4, 5, 6]), before, budget);
    expect(typed(0)).toEqual({ kept: [], truncated: [] });
    expect(typed(39)).toEqual({ kept: [[4, 5]], truncated: [[5, 39]] });
    expect(typed(40)).toEqual({ kept: [[4, 5]], truncated: [] });
    expect(typed(95)).toEqual({
      kept: [
        [0, 2],
        [3, 5],
      ],
      truncated: [[1, 5]],
    });
    expect(typed(95, 3)).toEqual({ kept: [[0, 2]], truncated: [] });
  });
});
