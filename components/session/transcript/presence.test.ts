import { describe, expect, it } from "vitest";
import { NEVER } from "@/lib/core/columns/membership";
import { presenceAt } from "./item-row";

const context = {
  entered: Int32Array.of(0, 2, 5, NEVER),
  dropped: Int32Array.of(4, NEVER, NEVER, NEVER),
  cleared: Int32Array.of(NEVER, 3, NEVER, NEVER),
};

describe("the presence of an item", () => {
  it("changes when it enters the context and when it leaves it", () => {
    expect([0, 3, 4].map((request) => presenceAt(context, 0, request))).toEqual(["in", "in", "dropped"]);
    expect([1, 2, 3].map((request) => presenceAt(context, 1, request))).toEqual(["notYet", "in", "cleared"]);
  });

  it("stays 'not yet' if it never enters the context", () => {
    expect(presenceAt(context, 3, 1000)).toBe("notYet");
  });
});
