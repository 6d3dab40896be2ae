import { describe, expect, it } from "vitest";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { addsOnly, boundaryEntries, chosenEntry } from "./entries";

function at(request: number): SimulatedCompaction {
  return {
    request,
    trigger: "threshold",
    outcome: "summary",
    tokensBefore: 100,
    tokensAfter: 10,
    summaryTokens: 5,
    summaryCallTokens: 100,
    rewritten: 300,
    keptItems: 0,
    kept: [],
    truncated: [],
    cleared: [],
    added: [],
    droppedItems: 3,
    thrash: false,
    shrunk: true,
  };
}

describe("boundaries", () => {
  const entries = boundaryEntries([at(10), at(20)], [at(15)]);

  it("lists recorded ones before simulated ones", () => {
    expect(entries.map(({ key, compaction }) => [key, compaction.request])).toEqual([
      ["recorded-0", 10],
      ["recorded-1", 20],
      ["simulated-0", 15],
    ]);
  });

  it("chooses what was asked for, else the pinned one, else the first", () => {
    expect(chosenEntry(entries, "recorded-1", 15)?.key).toBe("recorded-1");
    expect(chosenEntry(entries, "simulated-9", 15)?.key).toBe("simulated-0");
    expect(chosenEntry(entries, null, 99)?.key).toBe("recorded-0");
    expect(chosenEntry([], null, null)).toBeUndefined();
  });

  it("tells a turn that was added from a compaction that was skipped", () => {
    const turn = { category: "other", tokens: 40, label: "turn" } as const;
    expect(addsOnly({ outcome: "skipped", added: [turn] })).toBe(true);
    expect(addsOnly({ outcome: "skipped", added: [] })).toBe(false);
    expect(addsOnly({ outcome: "summary", added: [turn] })).toBe(false);
  });
});
