import type { SessionSummary } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { turnOfRequest } from "@/lib/core/metrics/growth";
import type { BoundaryEntry } from "./entries";

/** When a boundary happened, as far as that is known. */
export interface BoundaryWhen {
  /** When it happened, in ms; absent for simulated boundaries, which happened at no time. */
  readonly at: number | undefined;
  /** Turn of the request that follows it, counted from 0; absent before a person's first message. */
  readonly turn: number | undefined;
  /** How long it took, in ms, where the file says. */
  readonly took: number | undefined;
}

/**
 * When a boundary happened.
 * @param recorded what the file says of its compactions, in order
 */
export function boundaryWhen(
  { kind, ordinal, compaction }: Pick<BoundaryEntry, "kind" | "ordinal" | "compaction">,
  columns: SessionColumns,
  recorded: SessionSummary["compactions"],
): BoundaryWhen {
  const said = kind === "recorded" ? recorded[ordinal] : undefined;
  const turn = turnOfRequest(columns, compaction.request);
  return {
    at: said?.at == null ? undefined : Date.parse(said.at),
    turn: turn < 0 ? undefined : turn,
    took: said?.durationMs ?? undefined,
  };
}
