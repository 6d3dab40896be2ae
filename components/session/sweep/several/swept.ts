import type { SweepRequest, SweepRow } from "@/lib/api/types";

/** What all recordings are swept with. */
export type SweptAlike = Omit<SweepRequest, "sessions">;

/** The rows of one recording, one per point. */
export interface SweptRecording {
  readonly session: string;
  readonly rows: readonly SweepRow[];
}
