import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { clearStart, hidesLine } from "./level-line";

const frame = chartFrame({
  width: 500,
  height: 200,
  margin: { left: 0, right: 0, top: 0, bottom: 0 },
  from: 0,
  to: 50,
  top: 200,
});
const place = { width: 80, y: 50, start: 414 };

describe("the position of a level's name", () => {
  it("is the preferred one if no line passes through it", () => {
    expect(clearStart(frame, [new Int32Array(50).fill(100)], place)).toBe(414);
  });

  it("moves aside for a line or a step that passes through it", () => {
    const high = Int32Array.from({ length: 50 }, (_, request) => (request >= 45 ? 150 : 20));
    expect(clearStart(frame, [high], place)).toBeLessThan(450 - 80);
    const dip = Int32Array.from({ length: 50 }, (_, request) => (request === 45 ? 190 : 20));
    expect(clearStart(frame, [dip], place)).toBeLessThan(450 - 80);
  });

  it("is the preferred one if no position is free", () => {
    const through = [new Int32Array(50).fill(150)];
    expect(clearStart(frame, through, place)).toBe(414);
    expect(hidesLine(frame, through, place)).toBe(true);
    expect(hidesLine(frame, [new Int32Array(50).fill(100)], place)).toBe(false);
  });

  it("covers no line if some position is free", () => {
    const anyLine = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(anyLine, fc.nat(38), (values, free) => {
        const line = values.map((value, request) => (request >= free && request < free + 12 ? 0 : value));
        const start = clearStart(frame, [line], place);
        const hidden = line.some((value, request) => {
          const isUnder = (request + 1) * 10 > start && request * 10 < start + place.width;
          return isUnder && Math.abs(200 - value - place.y) < 7;
        });
        expect(hidden).toBe(false);
      }),
    );
  });
});
