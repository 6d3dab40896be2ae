import { describe, expect, it } from "vitest";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { breakdownAt } from "@/lib/core/context/breakdown";
import { compositionRows, sumOfRows } from "../shared/context/composition-rows";
import { barGroups, barParts } from "./window-bar";

function seriesOf(values: Record<string, number>) {
  const total = Object.values(values).reduce((sum, tokens) => sum + tokens, 0);
  return {
    context: Int32Array.of(total),
    estimated: Uint8Array.of(0),
    byCategory: ITEM_CATEGORIES.map((id) => Int32Array.of(values[id] ?? 0)),
    unattributed: Int32Array.of(0),
  };
}

describe("rows of the composition", () => {
  const series = seriesOf({ systemPrompt: 3_000, user: 1_000, toolResults: 6_000 });
  const breakdown = breakdownAt({ series, request: 0, window: 20_000, trigger: 15_000 });
  const rows = compositionRows(breakdown, 20_000);

  it("list the messages' parts below their sum", () => {
    expect(rows.map(({ id, level, tokens }) => [id, level, tokens])).toEqual([
      ["systemPrompt", 0, 3_000],
      ["messages", 0, 7_000],
      ["user", 1, 1_000],
      ["toolResults", 1, 6_000],
      ["freeSpace", 0, 5_000],
      ["autocompactBuffer", 0, 5_000],
    ]);
  });

  it("add up to the window without double counts", () => {
    expect(sumOfRows(rows)).toBe(20_000);
    const drawn = rows.filter((row) => row.drawn).reduce((sum, row) => sum + row.tokens, 0);
    expect(drawn).toBe(20_000);
  });

  it("fill the bar without a gap, in groups with the same sums", () => {
    const parts = barParts(rows);
    expect(parts.map(({ row, from, to }) => [row.id, from, to])).toEqual([
      ["systemPrompt", 0, 3_000],
      ["user", 3_000, 4_000],
      ["toolResults", 4_000, 10_000],
      ["freeSpace", 10_000, 15_000],
      ["autocompactBuffer", 15_000, 20_000],
    ]);
    expect(barGroups(parts)).toEqual([
      { id: "overhead", from: 0, tokens: 3_000 },
      { id: "messages", from: 3_000, tokens: 7_000 },
      { id: "freeSpace", from: 10_000, tokens: 5_000 },
      { id: "autocompactBuffer", from: 15_000, tokens: 5_000 },
    ]);
  });

  it("have a band for every category except messages, free space and the buffer", () => {
    expect(rows.map(({ band }) => band?.id)).toEqual(["system", undefined, "user", "results", undefined, undefined]);
  });
});
