import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freePlace, labelSides, shortLabelSides, takenBy } from "./boundary-labels";

describe("boundary labels", () => {
  it("are to the right of their line if there is space", () => {
    expect(labelSides([{ px: 100, width: 80 }], 0, 500)).toEqual(["right"]);
  });

  it("move to the left side at the edge and near the next mark", () => {
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

  it("are left out if they would overlap", () => {
    const crowd = [100, 120, 140, 160].map((px) => ({ px, width: 80 }));
    expect(labelSides(crowd, 0, 500)).toEqual(["left", "none", "none", "right"]);
  });
});

describe("labels in a lane that other lanes' lines cross", () => {
  it("do not cover these lines", () => {
    const mark = [{ px: 100, width: 80 }];
    expect(labelSides(mark, 0, 500, [150])).toEqual(["left"]);
    expect(labelSides(mark, 0, 500, [150, 50])).toEqual(["none"]);
    expect(labelSides(mark, 0, 500, [300])).toEqual(["right"]);
  });

  it("have their text in a gap between lines, wherever the lines are", () => {
    const pixels = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 12 });
    fc.assert(
      fc.property(pixels, pixels, fc.integer({ min: 20, max: 120 }), (own, crossing, width) => {
        const marks = own.sort((a, b) => a - b).map((px) => ({ px, width: 60 }));
        const taken = takenBy(marks, labelSides(marks, 0, 600, crossing), crossing);
        const place = freePlace(taken, width, 10, 590);
        if (place === undefined) return;
        expect([place >= 10, place + width <= 590]).toEqual([true, true]);
        expect([...own, ...crossing].filter((px) => px > place && px < place + width)).toEqual([]);
        expect(taken.filter(([from, to]) => from < place + width && to > place)).toEqual([]);
      }),
    );
  });

  it("have no place if they are wider than every gap", () => {
    expect(freePlace([[40, 48]], 50, 0, 100)).toBe(48);
    expect(freePlace([[40, 60]], 50, 0, 100)).toBeUndefined();
  });
});

describe("shorter labels", () => {
  const ends = [0, 500] as const;

  it("are drawn only where the full label does not fit", () => {
    const marks = [100, 170, 240, 310].map((px) => ({ px, width: 96 }));
    const sides = labelSides(marks, ...ends);
    expect(sides).toEqual(["none", "none", "none", "right"]);
    const shorter = marks.map(({ px }) => ({ px, width: 48 }));
    const sidesWith = (crossing: readonly number[]) =>
      shortLabelSides(shorter, sides, takenBy(marks, sides, crossing), ends);
    expect(sidesWith([])).toEqual(["right", "right", "right", "none"]);
    expect(sidesWith([130])).toEqual(["left", "right", "right", "none"]);
  });

  it("are left out if there is no space", () => {
    const crowd = [100, 120, 140, 160].map((px) => ({ px, width: 80 }));
    const sides = labelSides(crowd, ...ends);
    const shorter = crowd.map(({ px }) => ({ px, width: 48 }));
    expect(shortLabelSides(shorter, sides, takenBy(crowd, sides, []), ends)).toEqual(["none", "none", "none", "none"]);
  });
});
