import { expect, it } from "vitest";
import type { BoundaryItem, ItemState } from "@/lib/core/compaction/boundary-items";
import { itemsOfState, stateChoices } from "./item-table";

function items(...states: ItemState[]): BoundaryItem[] {
  return states.map((state, item) => ({ item, state, before: 1, after: 1, synthetic: undefined }));
}

it("the item filter offers only states that occur, in a fixed order, with their counts", () => {
  expect(stateChoices(items("dropped", "kept", "dropped", "added"))).toEqual([
    { id: "all", count: 4 },
    { id: "kept", count: 1 },
    { id: "dropped", count: 2 },
    { id: "added", count: 1 },
  ]);
});

it("the item filter offers no choice if all items have the same state", () => {
  expect(stateChoices(items("kept", "kept"))).toEqual([{ id: "all", count: 2 }]);
});

it("the item filter lists the items of a state in context order", () => {
  const all = items("dropped", "kept", "dropped");
  expect(itemsOfState(all, "dropped").map(({ item }) => item)).toEqual([0, 2]);
  expect(itemsOfState(all, "all")).toBe(all);
});
