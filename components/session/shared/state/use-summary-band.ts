import { useDeferredValue } from "react";
import type { Replay } from "@/lib/core/compaction/replay";
import { type SummaryBand, summaryBand } from "@/lib/questions/boundaries/summary-band";
import { type ReplayData, useReplay } from "./replay-data";

/**
 * How far the simulated context depends on the size of the summaries; absent where that is not known. It takes two more replays,
 * so its update is deferred: while a slider moves it may be a step behind the line.
 */
export function useSummaryBand(): SummaryBand | undefined {
  return bandOf(useDeferredValue(useReplay()));
}

/** One band per replay, shared by all readers. */
const known = new WeakMap<Replay, SummaryBand | "none">();

function bandOf({ choice, simulated, over }: ReplayData): SummaryBand | undefined {
  const band = known.get(simulated) ?? summaryBand(choice, simulated, choice.counting, over) ?? "none";
  known.set(simulated, band);
  return band === "none" ? undefined : band;
}
