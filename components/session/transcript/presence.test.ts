import { describe, expect, it } from "vitest";
import { NEVER } from "@/lib/core/columns/membership";
import { presenceAt } from "./item-row";

const context = {
  entered: Int32Array.of(0, 2, 5, NEVER),
  dropped: Int32Array.of(4, NEVER, NEVER, NEVER),
  cleared: Int32Array.of(NEVER, 3, NEVER, NEVER),
};

describe("presence", () => {
  it("follows an item into the context and out of it", () => {
    expect([0, 3, 4].map((request) => presenceAt(context, 0, request))).toEqual(["in", "in", "dropped"]);
    expect([1, 2, 3].map((request) => presenceAt(context, 1, request))).toEqual(["notYet", "in", "cleared"]);
  });

  it("stays 'not yet' for an item that never enters the context", () => {
    expect(presenceAt(context, 3, 1000)).toBe("notYet");
  });
});
