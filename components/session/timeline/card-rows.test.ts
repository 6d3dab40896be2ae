import { describe, expect, it } from "vitest";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { cardRows } from "./breakdown";

function seriesOf(values: Record<string, number>, unattributed = 0) {
  return {
    byCategory: ITEM_CATEGORIES.map((id) => Int32Array.of(values[id] ?? 0)),
    unattributed: Int32Array.of(unattributed),
  };
}

describe("the hover card", () => {
  it("lists the bands of either side, in the order of the stack", () => {
    const rows = cardRows(
      seriesOf({ systemPrompt: 100, assistant: 20, thinking: 5 }, 7),
      seriesOf({ systemPrompt: 100, summaries: 40 }),
      0,
      1000,
    );
    expect(rows.map((row) => [row.band.id, row.recorded, row.simulated])).toEqual([
      ["unattributed", 7, 0],
      ["assistant", 25, 0],
      ["summaries", 0, 40],
      ["system", 100, 100],
    ]);
    expect(rows.at(-1)?.share).toBe(0.1);
  });

  it("sums to the context", () => {
    const rows = cardRows(seriesOf({ user: 3, toolResults: 9, other: 1 }, 2), seriesOf({}), 0, 0);
    expect(rows.reduce((sum, row) => sum + row.recorded, 0)).toBe(15);
    expect(rows.every((row) => row.share === 0)).toBe(true);
  });
});
