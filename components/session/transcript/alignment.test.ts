import { describe, expect, it } from "vitest";
import { alignment } from "./transcript";

const view = { from: 1000, height: 400 };
const closed = (start: number) => ({ start, size: 28 });

describe("the scroll target of a selected row", () => {
  it("stays if its first line is in view, however tall the row", () => {
    expect(alignment(closed(1000), view, 28)).toBeUndefined();
    expect(alignment({ start: 1372, size: 5000 }, view, 28)).toBeUndefined();
  });

  it("goes to the edge from nearby, else to the middle", () => {
    expect(alignment(closed(972), view, 28)).toBe("start");
    expect(alignment(closed(1400), view, 28)).toBe("end");
    expect(alignment(closed(0), view, 28)).toBe("center");
    expect(alignment(closed(9000), view, 28)).toBe("center");
  });

  it("goes to its beginning if the row is open", () => {
    expect(alignment({ start: 900, size: 300 }, view, 28)).toBe("start");
    expect(alignment({ start: 0, size: 300 }, view, 28)).toBe("start");
    expect(alignment({ start: 1380, size: 900 }, view, 28)).toBe("start");
  });
});
