import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemChanges } from "@/lib/core/analysis/items-at";
import type { CompositionRow } from "./composition-rows";
import { baseChoices, differenceRows, differenceTerms } from "./difference";

const row = (id: string, tokens: number): CompositionRow => {
  return { id, tokens, level: 0, share: 0, kind: "estimated", items: [], band: undefined, drawn: true };
};

describe("the difference of two contexts", () => {
  it("has every category of both, in the usual order", () => {
    const rows = differenceRows(
      [row("messages", 10), row("freeSpace", 90)],
      [row("skills", 5), row("messages", 30), row("unattributed", 2), row("freeSpace", 63)],
    );
    expect(rows.map(({ id, before, after }) => [id, before, after])).toEqual([
      ["skills", 0, 5],
      ["messages", 10, 30],
      ["unattributed", 0, 2],
      ["freeSpace", 90, 63],
    ]);
  });

  it("is the sum of its terms, whatever was added, dropped and resized", () => {
    const items = fc.uniqueArray(fc.record({ item: fc.nat(30), category: fc.constant(14), tokens: fc.nat(500) }), {
      selector: ({ item }) => item,
    });
    fc.assert(
      fc.property(items, items, fc.integer({ min: -5000, max: 5000 }), (before, after, change) => {
        const changes = itemChanges(before, after);
        const { came, went, resized, beyond } = differenceTerms(change, changes);
        expect(came + went + resized + beyond).toBe(change);
        const size = (all: typeof before) => all.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(came + went + resized).toBe(size(after) - size(before));
        const had = new Set(before.map(({ item }) => item));
        expect(changes.came.some(({ item }) => had.has(item))).toBe(false);
        expect(changes.came.length + before.length).toBe(changes.went.length + after.length);
      }),
    );
  });

  it("offers the last boundary as the first base, and every request once", () => {
    expect(baseChoices(121, [134, 73])).toEqual([
      { id: "after", request: 73 },
      { id: "before", request: 72 },
      { id: "previous", request: 120 },
      { id: "first", request: 0 },
    ]);
    expect(baseChoices(73, [73]).map(({ id }) => id)).toEqual(["before", "first"]);
    expect(baseChoices(1, [])).toEqual([{ id: "previous", request: 0 }]);
    expect(baseChoices(0, [])).toEqual([]);
  });
});
