import { describe, expect, it } from "vitest";
import { boundaryFlags } from "./flags";

describe("the flags of a boundary", () => {
  it("state the faults of a compaction", () => {
    expect(boundaryFlags("compaction", { thrash: false, shrunk: true })).toEqual([]);
    expect(boundaryFlags("compaction", { thrash: true, shrunk: true })).toEqual(["thrash"]);
    expect(boundaryFlags("compaction", { thrash: true, shrunk: false })).toEqual(["thrash", "notShrunk"]);
  });

  it("do not state again that a failed compaction changed nothing", () => {
    expect(boundaryFlags("failure", { thrash: true, shrunk: false })).toEqual(["thrash"]);
  });

  it.each(["clearing", "pruning", "masking", "refusal", "skip", "flush"] as const)(
    "are absent from a boundary of the kind %s",
    (what) => {
      expect(boundaryFlags(what, { thrash: true, shrunk: false })).toEqual([]);
    },
  );
});
