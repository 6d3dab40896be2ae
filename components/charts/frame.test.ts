import { describe, expect, it } from "vitest";
import { chartFrame, requestAt } from "./frame";

const spec = {
  width: 320,
  height: 200,
  margin: { left: 20, right: 0, top: 10, bottom: 20 },
  from: 10,
  to: 40,
  top: 100,
};

describe("the frame", () => {
  it("gives every request the same width", () => {
    const frame = chartFrame(spec);
    expect(frame.x.px(10)).toBe(20);
    expect(frame.x.px(40)).toBe(320);
    expect(requestAt(frame, 20)).toBe(10);
    expect(requestAt(frame, 29.9)).toBe(10);
    expect(requestAt(frame, 30)).toBe(11);
  });

  it("maps a pointer beside the plot to the nearest visible request", () => {
    const frame = chartFrame(spec);
    expect(requestAt(frame, -5)).toBe(10);
    expect(requestAt(frame, 9999)).toBe(39);
  });

  it("maps zero tokens to the bottom of the plot and the highest value to the top", () => {
    const frame = chartFrame(spec);
    expect(frame.y.px(0)).toBe(180);
    expect(frame.y.px(100)).toBe(10);
  });

  it("has a plot of positive size even if the chart has none", () => {
    const frame = chartFrame({ ...spec, width: 0, height: 0 });
    expect(frame.plotWidth).toBeGreaterThan(0);
    expect(frame.plotHeight).toBeGreaterThan(0);
  });
});
