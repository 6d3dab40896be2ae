import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { entrySizes, recordedBoundary, simulatedBoundaryItems, stateSums } from "./boundary-items";
import { customPolicy } from "./policies/custom";
import { recordedReplay } from "./policies/recorded";
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
  function recorded(drawing: string) {
    const counted = countedBySize(drawColumns(drawing), "bytes-4");
    const run = recordedReplay(counted, WINDOW);
    return { ...counted, run, at: (index: number) => recordedBoundary(counted.columns, run, index) };
  }
  const total = ({ items, overhead }: ReturnType<typeof recordedBoundary>, side: "before" | "after") =>
    [...items, ...overhead].reduce((sum, part) => sum + part[side], 0);

  test("lists the dropped items and the added summary", () => {
    const { at } = recorded("u100 a100 B200 s20 u10 a10 B40 s30 u1 a1");
    expect(linesOf(at(0).items)).toEqual(["dropped 100→0", "dropped 100→0", "added 0→20", "entered 0→10"]);
    expect(linesOf(at(1).items)).toEqual(["dropped 20→0", "dropped 10→0", "dropped 10→0", "added 0→30", "entered 0→1"]);
  });

  test("lists its summary even at the end of the file", () => {
    expect(linesOf(recorded("u100 a100 B200 s20").at(0).items)).toContain("added 0→20");
  });

  test("divides a stated context before it like the composition divides a request's", () => {
    const { at } = recorded("u100 a10 @100 u100 a10 B150 s20 u1 a1 @40");
    expect(linesOf(at(0).items).slice(0, 4)).toEqual(["dropped 68→0", "dropped 7→0", "dropped 68→0", "dropped 7→0"]);
  });

  test("takes the last request's context as the context before it if the record states none", () => {
    const { at, run } = recorded("u100 a10 @100 u100 a10 @180 B s20 u1 a1 @40");
    expect(run.compactions[0]?.tokensBefore).toBe(180);
    expect(linesOf(at(0).items)).toEqual([
      "dropped 86→0",
      "dropped 9→0",
      "dropped 85→0",
      // The response was not sent with the last request.
      "dropped 0→0",
      "added 0→20",
      "entered 0→1",
    ]);
  });

  test("counts a result that the recording cleared earlier as its placeholder", () => {
    const { at } = recorded("u10 c5 @350 r100 a1 @500 u20 -1 a1 @460 u400 a1 @900 B s20 u1 a1 @60");
    const [result] = at(0).items.filter(({ item }) => item === 3);
    expect(result).toMatchObject({ state: "dropped", after: 0 });
    expect(result?.before).toBeLessThan(20);
  });

  test("has parts that equal the composition of the requests around it and never exceed the contexts", () => {
    fc.assert(
      fc.property(arbitraryDrawing, (drawing) => {
        const { at, run, columns } = recorded(drawing);
        run.compactions.forEach((compaction, index) => {
          const boundary = at(index);
          const { request, tokensBefore } = compaction;
          const attributed = (point: number) => (run.context[point] ?? 0) - (run.unattributed[point] ?? 0);
          if (request < columns.requests.length) expect(total(boundary, "after")).toBe(attributed(request));
          if (request > 0) expect(total(boundary, "before")).toBeLessThanOrEqual(tokensBefore);
          if (run.estimated[request - 1] === 0) expect(total(boundary, "before")).toBe(attributed(request - 1));
        });
      }),
    );
  });
});
