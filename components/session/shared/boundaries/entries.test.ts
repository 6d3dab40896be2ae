import { describe, expect, it } from "vitest";
import { compactionAt } from "../../testing/boundaries";
import { boundaryEntries, chosenEntry } from "./entries";

describe("the list of boundaries", () => {
  const clearing = compactionAt(15, { outcome: "clear" });
  const entries = boundaryEntries([compactionAt(10), compactionAt(20)], [clearing], { clearsBy: "pruning" });

  it("has recorded ones first, then simulated ones, each with its kind", () => {
    expect(entries.map(({ key, compaction, what }) => [key, compaction.request, what])).toEqual([
      ["recorded-0", 10, "compaction"],
      ["recorded-1", 20, "compaction"],
      ["simulated-0", 15, "pruning"],
    ]);
  });

  it("selects by key until another request is pinned, then by that request, else the first compaction", () => {
    expect(chosenEntry(entries, "recorded-1", 20)?.key).toBe("recorded-1");
    expect(chosenEntry(entries, "recorded-1", null)?.key).toBe("recorded-1");
    expect(chosenEntry(entries, "recorded-1", 15)?.key).toBe("simulated-0");
    expect(chosenEntry(entries, "simulated-9", 15)?.key).toBe("simulated-0");
    expect(chosenEntry(entries, null, 99)?.key).toBe("recorded-0");
    expect(chosenEntry(entries.slice(2), null, null)?.key).toBe("simulated-0");
    expect(chosenEntry([], null, null)).toBeUndefined();
  });

  it("keeps a selected boundary after the last request while that request is pinned", () => {
    expect(chosenEntry(entries, "recorded-1", 19, 19)?.key).toBe("recorded-1");
    expect(chosenEntry(entries, null, 19, 19)?.key).toBe("recorded-1");
  });
});
