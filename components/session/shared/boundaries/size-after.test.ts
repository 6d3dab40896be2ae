import { describe, expect, it } from "vitest";
import { sessionColumns } from "../../testing/session-columns";
import { changeShare, sizeAfter } from "./entries";

const columns = sessionColumns({ categories: ["user", "assistant", "user", "assistant"], firstItems: [1, 3] });

describe("the context after a boundary", () => {
  it("has the size that the next request sends", () => {
    expect(sizeAfter({ request: 1, tokensAfter: 40 }, columns)).toBe(40);
  });

  it("has an unknown size if no request follows, whatever the boundary states", () => {
    expect(sizeAfter({ request: 2, tokensAfter: 131_117 }, columns)).toBeNull();
    expect(changeShare(131_140, null)).toBeNull();
  });

  it("is compared with the context before in per cent", () => {
    expect(changeShare(200, 50)).toBe(-0.75);
    expect(changeShare(0, 50)).toBe(0);
  });
});
