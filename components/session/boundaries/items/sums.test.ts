import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BoundaryItem, ITEM_STATES } from "@/lib/core/compaction/boundary-items";
import { addedParts, boundarySums } from "./sum-table";

const overheadOf = (tokens: number) => [{ category: 0, before: tokens, after: tokens }];

const item = (state: BoundaryItem["state"], before: number, after: number): BoundaryItem => ({
  item: 0,
  state,
  before,
  after,
  synthetic: undefined,
});

describe("the sums of a boundary", () => {
  it("include the overhead and the unattributed tokens", () => {
    const items = [item("kept", 100, 100), item("dropped", 900, 0), item("truncated", 50, 20), item("added", 0, 70)];
    expect(boundarySums({ items, overhead: overheadOf(30), before: 1200, after: 230 }).rows).toEqual([
      { id: "overhead", before: 30, after: 30 },
      { id: "kept", items: 1, before: 100, after: 100 },
      { id: "truncated", items: 1, before: 50, after: 20 },
      { id: "dropped", items: 1, before: 900, after: 0 },
      { id: "added", items: 1, before: 0, after: 70 },
      { id: "unattributed", before: 120, after: 10 },
    ]);
  });

  it("name the parts of the added tokens, of which the summary is one", () => {
    const added = [item("added", 0, 3474), item("added", 0, 1800), item("added", 0, 24), item("kept", 5, 5)];
    const categories = ["summaries", "attachments", "attachments", "user"];
    const categoryOf = (one: BoundaryItem) => categories[added.indexOf(one)] ?? "";
    const parts = (total: number) =>
      addedParts(added, categoryOf, total).map(({ category, tokens }) => [category, tokens]);
    expect(Object.fromEntries(parts(5298))).toEqual({ summaries: 3474, attachments: 1824 });
    expect(parts(2649).reduce((sum, [, tokens]) => sum + Number(tokens), 0)).toBe(2649);
    expect(addedParts(added.slice(0, 1), categoryOf, 3474)).toEqual([]);
  });

  it("leave out parts without tokens", () => {
    const { rows } = boundarySums({ items: [item("kept", 5, 5)], overhead: overheadOf(0), before: 5, after: 5 });
    expect(rows.map(({ id }) => id)).toEqual(["kept"]);
  });

  it("equal the contexts before and after, whatever the states of the items", () => {
    const size = fc.nat(100_000);
    const items = fc.array(fc.tuple(fc.constantFrom(...ITEM_STATES), size, size).map((one) => item(...one)));
    fc.assert(
      fc.property(items, size, size, size, (generated, overhead, before, after) => {
        const { rows } = boundarySums({ items: generated, overhead: overheadOf(overhead), before, after });
        expect(rows.flatMap((row) => [row.before, row.after ?? 0]).filter((tokens) => tokens < 0)).toEqual([]);
        expect(rows.reduce((sum, row) => sum + row.before, 0)).toBe(before);
        expect(rows.reduce((sum, row) => sum + (row.after ?? 0), 0)).toBe(after);
      }),
    );
  });

  it("have no context after if no request follows", () => {
    const { rows, after } = boundarySums({
      items: [item("added", 0, 70)],
      overhead: overheadOf(30),
      before: 100,
      after: null,
    });
    expect(after).toBeNull();
    expect(rows.map((row) => row.after)).toEqual([null, null, null]);
    expect(rows.map((row) => row.before)).toEqual([30, 0, 70]);
  });
});
