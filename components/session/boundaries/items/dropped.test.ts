import { describe, expect, it } from "vitest";
import type { BoundaryItem, ItemState } from "@/lib/core/compaction/boundary-items";
import { addedItem } from "@/lib/core/testing/policies";
import { byBand, droppedItems, largestOf } from "./dropped-items";

const CATEGORIES = ["overheadInferred", "user", "toolResults", "toolResults"];

function at(item: number, state: ItemState, before: number, synthetic?: BoundaryItem["synthetic"]): BoundaryItem {
  return { item, state, before, after: state === "dropped" ? 0 : before, synthetic };
}

const categoryOf = ({ item, synthetic }: BoundaryItem) => synthetic?.category ?? CATEGORIES[item] ?? "";
/** A summary that an earlier compaction added. */
const earlier = at(4, "dropped", 500, addedItem(500));
const items = [at(1, "dropped", 10), at(2, "dropped", 30), at(3, "kept", 99), earlier];

describe("items that a boundary dropped", () => {
  it("are those whose state is dropped, earlier summaries included", () => {
    expect(droppedItems(items).map(({ item }) => item)).toEqual([1, 2, 4]);
  });

  it("are summed by band with the boundary's own counts, in the order of the stack", () => {
    const rows = byBand([...droppedItems(items), at(3, "dropped", 99)], categoryOf);
    expect(rows.map((row) => [row.band.id, row.items, row.tokens])).toEqual([
      ["results", 2, 129],
      ["user", 1, 10],
      ["summaries", 1, 500],
    ]);
  });

  it("are listed largest first, without summaries", () => {
    expect(largestOf(droppedItems(items), 5).map(({ item }) => item)).toEqual([2, 1]);
    expect(largestOf(droppedItems(items), 1).map(({ item }) => item)).toEqual([2]);
  });
});
