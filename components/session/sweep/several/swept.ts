import type { SweepRequest, SweepRow } from "@/lib/api/types";

/** What is asked of all recordings alike. */
export type SweptAlike = Omit<SweepRequest, "sessions">;

/** The rows of one recording, a point each. */
export interface SweptRecording {
  readonly session: string;
  readonly rows: readonly SweepRow[];
}
