import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { sizeTokenColumn } from "../columns/token-columns";
import { recordedSeries } from "../context/recorded";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { measuredContext } from "./measured-context";
import { repeatedContent } from "./repeated-content";
import { recordedStays } from "./stays";

function recorded(drawing: string) {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return measuredContext(
    columns,
    recordedStays({ columns, tokens }, recordedMembership(columns)),
    recordedSeries({ columns, tokens }),
  );
}

test("of three copies of a result, two are waste", () => {
  const measured = recorded("u10 c1 r100 c1 r100 c1 r100 a5");
  const content = Int32Array.from(measured.columns.kind, (_, row) => ([3, 5, 7].indexOf(row) >= 0 ? 7 : 0));
  expect(repeatedContent(measured, content, 3)).toEqual([
    { items: [3, 5, 7], each: 100, present: 3, tokens: 200, residency: 300 },
  ]);
  expect(repeatedContent(measured, content, 1)).toEqual([]);
});

test("a copy that arrives after the first one was dropped is not a repeat", () => {
  const measured = recorded("u10 c1 r100 a5 B s40 u5 c1 r100 a5");
  const results = [3, 8];
  const content = Int32Array.from(measured.columns.kind, (_, row) => (results.includes(row) ? 1 : 0));
  expect(repeatedContent(measured, content, pointCount(measured.columns) - 1)).toEqual([]);
});

test("the residency of repeats equals a brute-force sum over all but the first of equal items", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.integer({ min: 1, max: 4 }), (drawing, texts) => {
      const measured = recorded(drawing);
      const { columns, stays, factor } = measured;
      // Equal texts are equally long: the number of a text is its size, and only a few sizes occur, so that texts repeat.
      const equal = sizeTokenColumn(columns, "bytes-4").map((_, row) => (row % texts) + 1);
      const last = pointCount(columns) - 1;
      const found = repeatedContent(measured, equal, last).reduce((sum, { residency }) => sum + residency, 0);
      let wanted = 0;
      for (let request = 0; request <= last; request++) {
        const seen = new Set<number>();
        stays((item, category, tokens, from, to) => {
          const kind = columns.kind[item] ?? 0;
          if (from > request || request >= to || kind === 2 || kind === 3) return;
          const id = equal[item] ?? 0;
          if (seen.has(id)) wanted += tokens * factor(category, request);
          seen.add(id);
        });
      }
      expect(found).toBeCloseTo(wanted, 4);
    }),
  );
});
