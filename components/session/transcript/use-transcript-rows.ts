"use client";

import { useMemo } from "react";
import { boundariesOf } from "@/lib/core/columns/columns";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { type TranscriptRows, transcriptRows } from "./rows";

/** The rows of the list: items of the session, recorded boundaries, and the boundaries of the simulation in force. */
export function useTranscriptRows(): TranscriptRows {
  const { columns } = useSession();
  const { simulated, choice } = useReplay();
  const { compactions } = simulated;
  const inserted = choice.policy.id === "recorded" ? undefined : compactions;
  return useMemo(() => {
    const recorded = boundariesOf(columns, "compaction").map((row) => columns.boundaries.item[row] ?? 0);
    const places = (inserted ?? []).map(({ request }) => columns.requests.firstItem[request] ?? columns.length);
    return transcriptRows(columns.length, recorded, places);
  }, [columns, inserted]);
}
