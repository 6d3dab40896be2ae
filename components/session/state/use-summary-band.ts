"use client";

import { useDeferredValue } from "react";
import type { Replay } from "@/lib/core/compaction/replay";
import { type SummaryBand, summaryBand } from "@/lib/questions/summary-band";
import { type ReplayData, useReplay } from "./replay-data";

/**
 * How far the simulated context depends on the size of the summaries; absent where that is not known. It costs two replays
 * more, so it follows the line when there is time: while a slider moves it may be a step behind.
 */
export function useSummaryBand(): SummaryBand | undefined {
  return bandOf(useDeferredValue(useReplay()));
}

/** One band a replay, whoever asks. */
const known = new WeakMap<Replay, SummaryBand | "none">();

function bandOf({ choice, simulated, over }: ReplayData): SummaryBand | undefined {
  const band = known.get(simulated) ?? summaryBand(choice, simulated, choice.counting, over) ?? "none";
  known.set(simulated, band);
  return band === "none" ? undefined : band;
}
