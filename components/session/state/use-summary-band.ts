"use client";

import { useDeferredValue } from "react";
import type { SessionSummary } from "@/lib/api/types";
import type { Replay } from "@/lib/core/compaction/replay";
import { type SummaryBand, summaryBand } from "@/lib/questions/summary-band";
import { type ReplayData, useReplay } from "./replay-data";
import { useSession } from "./session-data";

/**
 * How far the simulated context depends on the size of the summaries; absent where that is not known. It costs two replays
 * more, so it follows the line when there is time: while a slider moves it may be a step behind.
 */
export function useSummaryBand(): SummaryBand | undefined {
  const { summary } = useSession();
  return bandOf(useDeferredValue(useReplay()), summary);
}

/** One band a replay, whoever asks. */
const known = new WeakMap<Replay, SummaryBand | "none">();

function bandOf({ choice, simulated, over }: ReplayData, session: SessionSummary): SummaryBand | undefined {
  const { columns, tokens } = over;
  const band =
    known.get(simulated) ?? summaryBand(choice, simulated, choice.counting, { session, columns, tokens }) ?? "none";
  known.set(simulated, band);
  return band === "none" ? undefined : band;
}
