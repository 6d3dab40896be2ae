import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neighbour, type PaletteEntry, rankedEntries, selectedEntry } from "./palette";

const entry = (id: string, title = id, hint?: string): PaletteEntry => {
  return { id, group: "tab", title, hint, action: () => undefined };
};
const ids = (entries: readonly PaletteEntry[]) => entries.map(({ id }) => id);

describe("the palette", () => {
  it("ranks title beginnings first, then word beginnings, other parts of titles, and details", () => {
    const entries = [
      entry("hint", "Sweep", "costs over settings"),
      entry("inside", "Forecosts"),
      entry("word", "What it costs"),
      entry("start", "Costs of the cache"),
      entry("none", "Timeline"),
    ];
    expect(ids(rankedEntries(entries, "costs"))).toEqual(["start", "word", "inside", "hint"]);
    expect(ids(rankedEntries(entries, "  "))).toEqual(ids(entries));
  });

  it("finds words in any order, case and width, and in Chinese", () => {
    const entries = [entry("a", "Keep recent tokens"), entry("b", "压缩策略：保留最近"), entry("c", "Ｃｏｄｅｘ")];
    expect(ids(rankedEntries(entries, "TOKENS keep"))).toEqual(["a"]);
    expect(ids(rankedEntries(entries, "保留"))).toEqual(["b"]);
    expect(ids(rankedEntries(entries, "codex"))).toEqual(["c"]);
  });

  it("selects the first entry, and keeps a moved selection when more entries arrive", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(names, names, fc.nat(), (first, later, at) => {
        const listed = first.map((id) => entry(id));
        expect(selectedEntry(listed, null)?.id).toBe(first[0]);
        const chosen = first[at % first.length] ?? "";
        const grown = [...later.filter((id) => !first.includes(id)), ...first].map((id) => entry(id));
        expect(selectedEntry(grown, chosen)?.id).toBe(chosen);
      }),
    );
  });

  it("moves from the last entry to the first, and back", () => {
    const entries = [entry("a"), entry("b"), entry("c")];
    expect(neighbour(entries, "c", 1)?.id).toBe("a");
    expect(neighbour(entries, "a", -1)?.id).toBe("c");
    expect(neighbour([], undefined, 1)).toBeUndefined();
  });
});
