import { describe, expect, it } from "vitest";
import { NEVER } from "@/lib/core/columns/membership";
import { categoryCode } from "@/lib/core/context/categories";
import { sessionColumns } from "../testing/session-columns";
import { byBand, droppedItems, largestOf } from "./dropped";

const columns = sessionColumns({
  overheadRows: 1,
  categories: ["overheadInferred", "user", "toolResults", "toolResults"],
});
const context = {
  entered: Int32Array.of(0, 0, 1, 3),
  dropped: Int32Array.of(NEVER, 2, 2, NEVER),
  cleared: new Int32Array(4).fill(NEVER),
};
const tokens = Int32Array.of(50, 10, 30, 99);

describe("what a boundary dropped", () => {
  it("is what left the context before that request", () => {
    expect(droppedItems(columns, context, 2)).toEqual([1, 2]);
    expect(droppedItems(columns, context, 3)).toEqual([]);
  });

  it("is summed by band, top of the stack first", () => {
    const rows = byBand(columns, tokens, [1, 2, 3]);
    expect(rows.map((row) => [row.band.id, row.items, row.tokens])).toEqual([
      ["results", 2, 129],
      ["user", 1, 10],
    ]);
    expect(columns.category[1]).toBe(categoryCode("user"));
  });

  it("lists the largest first", () => {
    expect(largestOf([1, 2, 3], tokens, 2)).toEqual([3, 2]);
  });
});
