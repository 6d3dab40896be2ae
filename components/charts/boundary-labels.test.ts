import { describe, expect, it } from "vitest";
import { labelSides } from "./boundary-labels";

describe("boundary labels", () => {
  it("stand to the right where there is room", () => {
    expect(labelSides([{ px: 100, width: 80 }], 0, 500)).toEqual(["right"]);
  });

  it("flip to the left at the edge and where the next mark is near", () => {
    expect(labelSides([{ px: 460, width: 80 }], 0, 500)).toEqual(["left"]);
    expect(
      labelSides(
        [
          { px: 200, width: 80 },
          { px: 240, width: 80 },
        ],
        0,
        500,
      ),
    ).toEqual(["left", "right"]);
  });

  it("give up rather than overlap", () => {
    const crowd = [100, 120, 140, 160].map((px) => ({ px, width: 80 }));
    expect(labelSides(crowd, 0, 500)).toEqual(["left", "none", "none", "right"]);
  });
});
