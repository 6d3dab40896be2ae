import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categoryCode } from "@/lib/core/base/categories";
import type { CompositionRow } from "../shared/context/composition-rows";
import { tileGroups } from "./tiles";

const row = (id: string, level: 0 | 1, tokens: number, drawn = true): CompositionRow => ({
  id,
  level,
  tokens,
  share: tokens / 1000,
  kind: "estimated",
  items: [],
  band: undefined,
  drawn,
});
const rows = [
  row("systemPrompt", 0, 100),
  row("messages", 0, 500, false),
  row("user", 1, 100),
  row("toolResults", 1, 400),
  row("freeSpace", 0, 450),
  row("residual", 0, -50),
];
const item = (index: number, tokens: number, category: "user" | "toolResults" = "toolResults") => ({
  item: index,
  category: categoryCode(category),
  tokens,
});

describe("the treemap", () => {
  it("gives large items a tile of their own and the others of a category one tile, largest first", () => {
    const [messages, overhead] = tileGroups(rows, [
      item(7, 250),
      item(9, 100, "user"),
      item(3, 60),
      item(4, 1),
      item(5, 1),
    ]);
    expect(messages?.tiles.map(({ key, tokens, smaller }) => [key, tokens, smaller])).toEqual([
      ["item 7", 250, undefined],
      ["item 9", 100, undefined],
      ["toolResults", 90, 2],
      ["item 3", 60, undefined],
    ]);
    expect(overhead?.tiles.map(({ key, tokens }) => [key, tokens])).toEqual([
      ["freeSpace", 450],
      ["systemPrompt", 100],
    ]);
  });

  it("merges only the smallest items of a category", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 61, maxLength: 200 });
    fc.assert(
      fc.property(sizes, (generated) => {
        const items = generated.toSorted((a, b) => b - a).map((tokens, index) => item(index, tokens));
        const all = generated.reduce((sum, tokens) => sum + tokens, 0);
        const [messages] = tileGroups([row("messages", 0, all, false), row("toolResults", 1, all)], items);
        const own = messages?.tiles.filter((tile) => tile.item !== undefined) ?? [];
        expect(own.map((tile) => tile.item)).toEqual(items.slice(0, own.length).map((one) => one.item));
        expect(messages?.tiles.find((tile) => tile.smaller !== undefined)?.smaller).toBe(items.length - own.length);
      }),
    );
  });

  it("sums to the drawn breakdown, whatever the sizes of items", () => {
    const items = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 600 })));
    fc.assert(
      fc.property(items, (generated) => {
        const groups = tileGroups(
          rows,
          generated.map(([index, tokens]) => item(index, tokens)),
        );
        const tiles = groups.flatMap((group) => group.tiles);
        expect(tiles.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1050);
        for (const { tokens } of tiles) expect(tokens).toBeGreaterThan(0);
      }),
    );
  });
});
