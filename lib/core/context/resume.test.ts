import fc from "fast-check";
import { expect, test } from "vitest";
import { OVERHEAD_COUNT } from "../base/categories";
import { countedBySize } from "../columns/token-columns";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { recordedSeries } from "./recorded";
import { LOADS_LIVE, type ResumeRule, resumeOf } from "./resume";

function resumed(drawing: string, rule: ResumeRule) {
  const counted = countedBySize(drawColumns(drawing), "bytes-4");
  return resumeOf(counted, recordedSeries(counted), rule);
}

const NOTHING = { items: 0, tokens: 0 };

test("LOADS_LIVE loads the items that are still in the session's context", () => {
  expect(resumed("u10 a20 B s40 u5 a7", LOADS_LIVE)).toEqual({
    messages: 3,
    items: 3,
    tokens: 52,
    missing: NOTHING,
    extra: NOTHING,
  });
  expect(resumed("u10 a20 u5 a7 <2", LOADS_LIVE)).toMatchObject({ messages: 2, tokens: 30 });
});

test("a resume has the sizes that the composition of the last request gives, and its response", () => {
  const drawing = "u100 a20 @60 u100 a10 @120 u20 a7 @150";
  const { byCategory } = recordedSeries(countedBySize(drawColumns(drawing), "bytes-4"));
  const messages = byCategory.slice(OVERHEAD_COUNT).reduce((sum, tokens) => sum + (tokens[2] ?? 0), 0);
  expect(messages).toBe(150);
  expect(resumed(drawing, LOADS_LIVE).tokens).toBe(150 + 7);
});

test("an agent's own rule reports missing and extra items", () => {
  expect(
    resumed(
      "u10 t3 a20 B s40 u5",
      ({ boundary }) =>
        (row) =>
          row < boundary,
    ),
  ).toEqual({
    messages: 2,
    items: 3,
    tokens: 33,
    missing: { items: 2, tokens: 45 },
    extra: { items: 3, tokens: 33 },
  });
  expect(
    resumed(
      "u10 t3 a20",
      ({ live, kind }) =>
        (row) =>
          live(row) && kind(row) !== "thinking",
    ),
  ).toMatchObject({
    messages: 2,
    items: 2,
    tokens: 30,
    missing: { items: 1, tokens: 3 },
  });
});

test("the loaded items, without extra and with missing ones, are the session's context", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.integer({ min: 1, max: 5 }), (drawing, step) => {
      const live = resumed(drawing, LOADS_LIVE);
      const some = resumed(drawing, () => (row) => row % step === 0);
      expect(some.items - some.extra.items + some.missing.items).toBe(live.items);
      expect(some.tokens - some.extra.tokens + some.missing.tokens).toBe(live.tokens);
    }),
  );
});
