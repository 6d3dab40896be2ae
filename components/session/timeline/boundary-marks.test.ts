import { describe, expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { placedMarks } from "./boundary-marks";

const frame = chartFrame({
  width: 520,
  height: 200,
  margin: { left: 20, right: 0, top: 40, bottom: 20 },
  from: 10,
  to: 60,
  top: 100,
});
const short = (tokens: number) => `${tokens}k`;

describe("boundary marks", () => {
  it("leaves out what lies outside and keeps the ordinals of the rest", () => {
    const marks = placedMarks(
      [
        { request: 5, tokensBefore: 9, tokensAfter: 1 },
        { request: 30, tokensBefore: 8, tokensAfter: 2 },
        { request: 90, tokensBefore: 7, tokensAfter: 3 },
      ],
      frame,
      short,
      true,
    );
    expect(marks.map(({ ordinal, px, label, side }) => [ordinal, px, label, side])).toEqual([
      [1, 220, "8k → 2k", "right"],
    ]);
  });

  it("keeps the marks and drops the words where there is no room for them", () => {
    const marks = placedMarks([{ request: 30, tokensBefore: 8, tokensAfter: 2 }], frame, short, false);
    expect(marks.map(({ side, label }) => [side, label])).toEqual([["none", undefined]]);
  });

  it("draws as one what cannot be told apart, and says how many it is", () => {
    const wide = chartFrame({
      ...frame,
      margin: { left: 20, right: 0, top: 40, bottom: 20 },
      from: 0,
      to: 50_000,
      top: 9,
    });
    const many = Array.from({ length: 30_000 }, (_, request) => ({ request, tokensBefore: 8, tokensAfter: 2 }));
    const marks = placedMarks(many, wide, short, true);
    expect(marks.length).toBeLessThanOrEqual(500 / 3 + 1);
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(30_000);
    expect(marks.at(-1)?.label).toMatch(/^\d+ × 8k → 2k$/);
  });
});
