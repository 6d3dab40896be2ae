import type { Policy } from "@/lib/core/compaction/policy";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type BoundaryKind, boundaryKind } from "./kinds";

/** A boundary in the list. */
export interface BoundaryEntry {
  readonly key: string;
  readonly kind: "recorded" | "simulated";
  /** The kind of the boundary. */
  readonly what: BoundaryKind;
  /** Its position among the boundaries of its group, recorded or simulated. */
  readonly ordinal: number;
  readonly compaction: SimulatedCompaction;
}

/**
 * The recorded boundaries, then the simulated ones, each group in order.
 * @param policy the policy of the simulated boundaries
 */
export function boundaryEntries(
  recorded: readonly SimulatedCompaction[],
  simulated: readonly SimulatedCompaction[],
  policy: Pick<Policy, "clearsBy"> = {},
): readonly BoundaryEntry[] {
  const of = (kind: BoundaryEntry["kind"], compactions: readonly SimulatedCompaction[]): BoundaryEntry[] =>
    compactions.map((compaction, ordinal) => {
      const what = boundaryKind(compaction, kind === "recorded" ? {} : policy);
      return { key: `${kind}-${ordinal}`, kind, what, ordinal, compaction };
    });
  return [...of("recorded", recorded), ...of("simulated", simulated)];
}

/**
 * The boundary to show: the one asked for, until another request is pinned; else the one at the pinned request; else the first
 * compaction; else the first boundary.
 * @param last the last request
 */
export function chosenEntry(
  entries: readonly BoundaryEntry[],
  asked: string | null,
  pin: number | null,
  last = Number.POSITIVE_INFINITY,
): BoundaryEntry | undefined {
  // A boundary behind the last request has no request of its own to pin.
  const isPinned = ({ compaction }: BoundaryEntry) => Math.min(compaction.request, last) === pin;
  const wanted = entries.find(({ key }) => key === asked);
  if (wanted !== undefined && (pin === null || isPinned(wanted))) return wanted;
  return entries.find(isPinned) ?? entries.find(({ what }) => what === "compaction") ?? entries[0];
}
