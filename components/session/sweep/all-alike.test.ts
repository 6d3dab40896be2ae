import { describe, expect, it } from "vitest";
import { allAlike } from "./all-alike";

const point = (keptTokens: number, compactions = 1) => ({ figures: { keptTokens, compactions } });

describe("points that are alike", () => {
  it("says what all of them keep", () => {
    expect(allAlike([point(27_969), point(27_969, 3)])).toEqual({ kind: "sameKept", tokens: 27_969 });
    expect(allAlike([point(0), point(0)])).toEqual({ kind: "sameKept", tokens: 0 });
  });

  it("says that none compacts, which is not keeping nothing", () => {
    expect(allAlike([point(0, 0), point(0, 0)])).toEqual({ kind: "noneCompacts" });
  });

  it("says nothing where points differ, or there are no two", () => {
    expect(allAlike([point(27_969), point(27_970)])).toBeUndefined();
    expect(allAlike([point(5)])).toBeUndefined();
    expect(allAlike([])).toBeUndefined();
  });
});
