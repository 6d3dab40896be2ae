import { expect, it } from "vitest";
import { summaryTotals } from "./refetch-score";

const named = (refetched: number, neededNamed: number, all: number, namedUsed: number) => {
  return { needed: refetched, neededNamed, named: all, namedUsed };
};

it("the total adds up the summaries whose text is in the file", () => {
  const one = { paths: named(4, 3, 12, 5), names: named(2, 1, 6, 2) };
  const other = { paths: named(1, 0, 3, 1), names: named(0, 0, 1, 0) };
  expect(summaryTotals([{ summary: one }, { summary: null }, { summary: other }])).toEqual({
    paths: named(5, 3, 15, 6),
    names: named(2, 1, 7, 2),
  });
  expect(summaryTotals([{ summary: null }])).toBeUndefined();
  expect(summaryTotals([])).toBeUndefined();
});
