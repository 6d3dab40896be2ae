import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";

/** A compaction in the list of boundaries. */
export interface BoundaryEntry {
  readonly key: string;
  readonly kind: "recorded" | "simulated";
  /** Its place among those of its kind. */
  readonly ordinal: number;
  readonly compaction: SimulatedCompaction;
}

/** Nothing was compacted, a turn of the agent's own was added: OpenClaw's, in which memories are written down. */
export function addsOnly({ outcome, added }: Pick<SimulatedCompaction, "outcome" | "added">): boolean {
  return outcome === "skipped" && added.length > 0;
}

/** Recorded ones first, each group in order. */
export function boundaryEntries(
  recorded: readonly SimulatedCompaction[],
  simulated: readonly SimulatedCompaction[],
): readonly BoundaryEntry[] {
  const of = (kind: BoundaryEntry["kind"], compactions: readonly SimulatedCompaction[]): BoundaryEntry[] =>
    compactions.map((compaction, ordinal) => ({ key: `${kind}-${ordinal}`, kind, ordinal, compaction }));
  return [...of("recorded", recorded), ...of("simulated", simulated)];
}

/** The one asked for, else the one at the pinned request, else the first. */
export function chosenEntry(
  entries: readonly BoundaryEntry[],
  asked: string | null,
  pin: number | null,
): BoundaryEntry | undefined {
  return (
    entries.find(({ key }) => key === asked) ??
    entries.find(({ compaction }) => compaction.request === pin) ??
    entries[0]
  );
}
