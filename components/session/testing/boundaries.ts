import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/** A boundary before a request, with only the fields that lists of boundaries need. */
export function compactionAt(request: number, given: Partial<SimulatedCompaction> = {}): SimulatedCompaction {
  return {
    request,
    trigger: "threshold",
    outcome: "summary",
    tokensBefore: 100,
    tokensAfter: 10,
    summaryTokens: 5,
    summaryCallTokens: 100,
    uncached: 300,
    keptItems: 0,
    kept: [],
    truncated: [],
    cleared: [],
    added: [],
    droppedItems: 3,
    thrash: false,
    shrunk: true,
    ...given,
  };
}
