import { describe, expect, it } from "vitest";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { BANDS, bandOfCategory, bandSeries } from "./bands";

function seriesOf(values: Record<string, number[]>) {
  return { byCategory: ITEM_CATEGORIES.map((id) => Int32Array.from(values[id] ?? [0, 0])) };
}

describe("bands", () => {
  it("cover every category exactly once", () => {
    const drawn = BANDS.flatMap((band) => band.categories);
    expect([...drawn].sort()).toEqual([...ITEM_CATEGORIES].sort());
  });

  it("sum their categories, and a band without tokens is left out", () => {
    const series = seriesOf({ assistant: [1, 2], thinking: [10, 20], user: [5, 0] });
    const bands = bandSeries(series, 2);
    expect(bands.map(({ band }) => band.id)).toEqual(["user", "assistant"]);
    expect([...(bands[1]?.values ?? [])]).toEqual([11, 22]);
  });

  it("sum to the total of all categories, unattributed tokens included", () => {
    const series = seriesOf({ systemPrompt: [3, 3], slashCommands: [4, 4], attachments: [0, 9], other: [1, 1] });
    const bands = bandSeries({ ...series, unattributed: Int32Array.of(2, 5) }, 2);
    const sum = [0, 1].map((request) => bands.reduce((acc, { values }) => acc + (values[request] ?? 0), 0));
    expect(sum).toEqual([10, 22]);
  });

  it("have a colour of their own for inferred overhead, lighter than the system prompt's", () => {
    const colours = BANDS.map(({ id, colour }) => [id, colour]);
    expect(Object.fromEntries(colours)).toMatchObject({ system: "var(--c-system)", inferred: "var(--hatch)" });
  });

  it("are found by category, and free space has no band", () => {
    expect(bandOfCategory("thinking")?.id).toBe("assistant");
    expect(bandOfCategory("freeSpace")).toBeUndefined();
  });
});
