import { describe, expect, it } from "vitest";
import { pageRange, pagesOf } from "./use-item-texts";

describe("pages of items", () => {
  it("are fetched once each", () => {
    expect(pagesOf([99, 100, 101, 250])).toEqual([0, 1, 2]);
    expect(pagesOf([])).toEqual([]);
  });

  it("end with the last item", () => {
    expect(pageRange(1, 150)).toEqual([100, 150]);
    expect(pageRange(0, 150)).toEqual([0, 100]);
  });
});
