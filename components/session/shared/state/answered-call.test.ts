import { describe, expect, it } from "vitest";
import { drawColumns } from "@/lib/core/testing/draw";
import { answeredCall } from "./rows";

describe("the call that a result answers", () => {
  // One row of inferred overhead, then the items.
  const columns = drawColumns("u1 c1 c1 r5 r5 a1 r9");

  it("is that of its own request, and the first call belongs to the first result", () => {
    expect([4, 5].map((item) => answeredCall(columns, item))).toEqual([2, 3]);
  });

  it("is absent for a call, for a message, and for a result without a call", () => {
    expect([0, 1, 2, 3, 6, 7].map((item) => answeredCall(columns, item))).toEqual(Array(6).fill(undefined));
  });
});
