import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { entrySizes, recordedBoundaryItems, simulatedBoundaryItems, stateSums } from "./boundary-items";
import { customPolicy } from "./policies/custom";
import { inputSettings } from "./policy/input-settings";
import { resolveSettings } from "./policy/settings";
import { type CountingMode, replay } from "./replay";

const WINDOW = 1000;

function run(drawing: string, given: Record<string, unknown> = {}, counting: CountingMode = "estimate") {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const specs = [...customPolicy.settings("default", { window: WINDOW, agent: null }), ...inputSettings(columns)];
  const settings = resolveSettings(specs, given);
  const result = replay({ columns, tokens }, customPolicy, settings, { window: WINDOW, counting });
  const sizes = entrySizes({ columns, tokens }, customPolicy, { preset: "default", settings, window: WINDOW }, result);
  const itemsAt = (index: number) => simulatedBoundaryItems(columns, result, index, sizes);
  return { columns, tokens, result, itemsAt };
}

/** Formats items as `state before→after`. */
function linesOf(items: ReturnType<typeof simulatedBoundaryItems>): string[] {
  return items.map(({ state, before, after }) => `${state} ${before}→${after}`);
}

describe("a simulated compaction", () => {
  test("lists the kept, dropped and added items", () => {
    const { itemsAt } = run("u100 a300 u100 a300 u50 a10", { keepRecentTokens: 120, summaryTokens: 40 });
    expect(linesOf(itemsAt(0))).toEqual([
      "dropped 100→0",
      "dropped 300→0",
      "dropped 100→0",
      "dropped 300→0",
      "kept 50→50",
      "added 0→40",
    ]);
  });

  test("lists the cleared items, with earlier cleared items at their remaining size", () => {
    const settings = { clearToolResultsAfter: 1, summaryTokens: 40, keepRecentTokens: 5 };
    const { itemsAt, result } = run("u1 c1 r100 a1 u1 a900 u1 a1", settings);
    expect(result.compactions.map(({ outcome }) => outcome)).toEqual(["clear", "summary"]);
    expect(linesOf(itemsAt(0))).toContain("cleared 100→9");
    expect(linesOf(itemsAt(1))).toContain("dropped 9→0");
  });

  test("counts items that the recorded agent cleared earlier as placeholders", () => {
    const drawing = "u10 c5 @350 r100 a1 @500 u20 -1 a1 @460 u400 a1";
    const { itemsAt, result } = run(drawing, { keepRecentTokens: 0, summaryTokens: 40 }, "anchored");
    expect(result.compactions).toMatchObject([{ request: 3, outcome: "summary" }]);
    expect(linesOf(itemsAt(0))).toContain("dropped 9→0");
    expect(linesOf(itemsAt(0))).not.toContain("dropped 100→0");
  });

  test("counts items that an input rule cleared earlier as placeholders", () => {
    const { itemsAt } = run("u1 c1 r100 a1 u1 a1 u900 a1 u1 a1", { inputClearAfter: 1, keepRecentTokens: 5 });
    expect(linesOf(itemsAt(0))).toContain("dropped 9→0");
  });

  test("drops the summary of the previous compaction", () => {
    const { itemsAt } = run("u800 a100 u800 a100 u1 a1", { keepRecentTokens: 0, summaryTokens: 40 });
    const [summary, ...others] = itemsAt(1).filter(({ synthetic }) => synthetic !== undefined);
    expect(summary).toMatchObject({ state: "dropped", before: 40, synthetic: { label: "summary" } });
    expect(others).toMatchObject([{ state: "added", after: 40 }]);
  });

  test("has sizes that sum to the stated contexts before and after it, for any session", () => {
    const settings = fc.record({
      triggerShare: fc.constantFrom(0.3, 0.8),
      keepRecentTokens: fc.constantFrom(0, 200),
      clearToolResultsAfter: fc.constantFrom(0, 1),
      summaryTokens: fc.constantFrom(0, 60),
    });
    fc.assert(
      fc.property(arbitraryDrawing, settings, (drawing, given) => {
        const { result, itemsAt, columns, tokens } = run(drawing, given);
        const overhead = tokens.subarray(0, columns.overheadRows).reduce((sum, size) => sum + size, 0);
        result.compactions.forEach((compaction, index) => {
          const items = itemsAt(index);
          const total = (side: "before" | "after") => items.reduce((sum, item) => sum + item[side], overhead);
          expect(total("before")).toBe(compaction.tokensBefore);
          expect(total("after")).toBe(compaction.tokensAfter);
          const sums = stateSums(items);
          expect(sums.dropped.items).toBe(compaction.droppedItems);
          expect(sums.kept.items + sums.cleared.items + sums.truncated.items).toBe(compaction.keptItems);
          expect(sums.added.items).toBe(compaction.added.length);
        });
      }),
    );
  });
});

describe("a recorded compaction", () => {
  test("lists the dropped items and the added summary", () => {
    const columns = drawColumns("u100 a100 B s20 u10 a10 B s30 u1 a1");
    const tokens = sizeTokenColumn(columns, "bytes-4");
    expect(linesOf(recordedBoundaryItems({ columns, tokens }, 0))).toEqual([
      "dropped 100→0",
      "dropped 100→0",
      "added 0→20",
    ]);
    expect(linesOf(recordedBoundaryItems({ columns, tokens }, 1))).toEqual([
      "dropped 20→0",
      "dropped 10→0",
      "dropped 10→0",
      "added 0→30",
    ]);
  });

  test("lists its summary even at the end of the file", () => {
    const columns = drawColumns("u100 a100 B s20");
    expect(linesOf(recordedBoundaryItems(countedBySize(columns, "bytes-4"), 0))).toContain("added 0→20");
  });
});
