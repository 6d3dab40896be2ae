import { describe, expect, it } from "vitest";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { addedItem } from "@/lib/core/testing/policies";
import { compactionAt } from "../../testing/boundaries";
import { boundaryEntries } from "./entries";
import { type BoundaryRun, firstOf, foldedRuns, isRun, lastOf, runSavings } from "./runs";

/** One letter per request: `c` clearing, `C` compaction, `f` memory flush, `x` failed compaction. */
function runsOf(kinds: string, given: Partial<SimulatedCompaction> = {}) {
  const flush = { outcome: "skipped", added: [addedItem(1, { kind: "turn", category: "user" })] } as const;
  const facts = { c: { outcome: "clear" }, C: {}, f: flush, x: { outcome: "failed" } } as const;
  const simulated = [...kinds].map((kind, at) => compactionAt(at, { ...facts[kind as keyof typeof facts], ...given }));
  return foldedRuns(boundaryEntries([], simulated));
}

/** Prints a run as `clearing 0–4 (5)` and a boundary as `compaction 5`. */
function printed(kinds: string): string[] {
  return runsOf(kinds).map((listed) => {
    const [first, last] = [firstOf(listed).compaction.request, lastOf(listed).compaction.request];
    return isRun(listed) ? `${listed.what} ${first}–${last} (${listed.entries.length})` : `${listed.what} ${first}`;
  });
}

describe("runs of boundaries", () => {
  it("lie between two compactions, and contain none", () => {
    expect(printed("cccccCccccC")).toEqual(["clearing 0–4 (5)", "compaction 5", "clearing 6–9 (4)", "compaction 10"]);
    expect(printed("CCCC")).toEqual(["compaction 0", "compaction 1", "compaction 2", "compaction 3"]);
  });

  it("have at least three boundaries", () => {
    expect(printed("ccC")).toEqual(["clearing 0", "clearing 1", "compaction 2"]);
  });

  it("have boundaries of one kind, in the order of the first boundary of each run", () => {
    expect(printed("cfcxcxxc")).toEqual(["clearing 0–7 (4)", "flush 1", "failure 3–6 (3)"]);
  });

  it("and single boundaries together contain every boundary once", () => {
    const kinds = "cxfcCccfxxxxCfCcccf".repeat(40);
    const kept = runsOf(kinds).flatMap((listed) => (isRun(listed) ? [...listed.entries] : [listed]));
    expect(kept.map(({ ordinal }) => ordinal).sort((a, b) => a - b)).toEqual(Array.from(kinds, (_, at) => at));
  });
});

describe("the tokens saved by a run", () => {
  const run = (given: Partial<SimulatedCompaction>) => runsOf("cccc", given)[0] as BoundaryRun;

  it("are summed over its boundaries, each measured by one counting rule", () => {
    expect(runSavings(run({ tokensBefore: 100, tokensAfter: 90 }))).toEqual({ tokens: 40, each: false });
    expect(runSavings(run({ tokensBefore: 80, tokensBeforeCounted: 100, tokensAfter: 90 })).tokens).toBe(40);
  });

  it("are those of one boundary if each lasted for one request only", () => {
    const given = { tokensBefore: 100, tokensAfter: 70, transient: true };
    expect(runSavings(run(given))).toEqual({ tokens: 30, each: true });
  });
});
