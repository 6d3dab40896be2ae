import { describe, expect, it } from "vitest";
import { alignment } from "./transcript";

const view = { from: 1000, height: 400 };
const closed = (start: number) => ({ start, size: 28 });

describe("the scroll target of a selected row", () => {
  it("is the current position if the first line is in view, however tall the row", () => {
    expect(alignment(closed(1000), view, 28)).toBeUndefined();
    expect(alignment({ start: 1372, size: 5000 }, view, 28)).toBeUndefined();
  });

  it("is the nearest edge for a close row, else the middle", () => {
    expect(alignment(closed(972), view, 28)).toBe("start");
    expect(alignment(closed(1400), view, 28)).toBe("end");
    expect(alignment(closed(0), view, 28)).toBe("center");
    expect(alignment(closed(9000), view, 28)).toBe("center");
  });

  it("is the beginning of the row if it is open", () => {
    expect(alignment({ start: 900, size: 300 }, view, 28)).toBe("start");
    expect(alignment({ start: 0, size: 300 }, view, 28)).toBe("start");
    expect(alignment({ start: 1380, size: 900 }, view, 28)).toBe("start");
  });
});
