import { describe, expect, it } from "vitest";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { BANDS, bandOfCategory, bandSeries } from "./bands";

function seriesOf(values: Record<string, number[]>) {
  return { byCategory: ITEM_CATEGORIES.map((id) => Int32Array.from(values[id] ?? [0, 0])) };
}

describe("bands", () => {
  it("draw every category exactly once", () => {
    const drawn = BANDS.flatMap((band) => band.categories);
    expect([...drawn].sort()).toEqual([...ITEM_CATEGORIES].sort());
  });

  it("sum their categories, and are left out without tokens", () => {
    const series = seriesOf({ assistant: [1, 2], thinking: [10, 20], user: [5, 0] });
    const bands = bandSeries(series, 2);
    expect(bands.map(({ band }) => band.id)).toEqual(["user", "assistant"]);
    expect([...(bands[1]?.values ?? [])]).toEqual([11, 22]);
  });

  it("have the same sum as all categories", () => {
    const series = seriesOf({ systemPrompt: [3, 3], slashCommands: [4, 4], attachments: [0, 9], other: [1, 1] });
    const bands = bandSeries({ ...series, unattributed: Int32Array.of(2, 5) }, 2);
    const sum = [0, 1].map((request) => bands.reduce((acc, { values }) => acc + (values[request] ?? 0), 0));
    expect(sum).toEqual([10, 22]);
  });

  it("give inferred overhead its own colour, lighter than the system prompt's", () => {
    const colours = BANDS.map(({ id, colour }) => [id, colour]);
    expect(Object.fromEntries(colours)).toMatchObject({ system: "var(--c-system)", inferred: "var(--hatch)" });
  });

  it("are found by category; free space has none", () => {
    expect(bandOfCategory("thinking")?.id).toBe("assistant");
    expect(bandOfCategory("freeSpace")).toBeUndefined();
  });
});
