import { comparableBefore } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { BoundaryEntry, BoundaryKind } from "./entries";

/** Boundaries of one kind between two compactions, listed as one row, because a policy may clear or skip before every request. */
export interface BoundaryRun {
  readonly key: string;
  readonly what: BoundaryKind;
  readonly entries: readonly [BoundaryEntry, ...BoundaryEntry[]];
}

export type Listed = BoundaryEntry | BoundaryRun;

export function isRun(listed: Listed): listed is BoundaryRun {
  return "entries" in listed;
}

/** Minimum number of boundaries in a run. Folding fewer saves no space. */
const MIN_RUN = 3;

/** Lists compactions one by one. Boundaries between two compactions are grouped by kind, and the groups are ordered by their first boundary. */
export function foldedRuns(entries: readonly BoundaryEntry[]): readonly Listed[] {
  const listed: Listed[] = [];
  let between = new Map<BoundaryKind, BoundaryEntry[]>();
  const close = (): void => {
    const found = [...between.values()].flatMap(foldedKind);
    listed.push(...found.sort((one, other) => firstOf(one).ordinal - firstOf(other).ordinal));
    between = new Map();
  };
  for (const entry of entries) {
    if (entry.what === "compaction") {
      close();
      listed.push(entry);
    } else {
      const alike = between.get(entry.what);
      if (alike === undefined) between.set(entry.what, [entry]);
      else alike.push(entry);
    }
  }
  close();
  return listed;
}

function foldedKind(alike: readonly BoundaryEntry[]): readonly Listed[] {
  const [first, ...rest] = alike;
  if (first === undefined || alike.length < MIN_RUN) return alike;
  return [{ key: `run-${first.key}`, what: first.what, entries: [first, ...rest] }];
}

/** The boundary itself, or the first of a run. */
export function firstOf(listed: Listed): BoundaryEntry {
  return isRun(listed) ? listed.entries[0] : listed;
}

/** The boundary itself, or the last of a run. */
export function lastOf(listed: Listed): BoundaryEntry {
  return isRun(listed) ? (listed.entries.at(-1) ?? listed.entries[0]) : listed;
}

/** Tokens that a run removed from the context: the sum over its boundaries. If a boundary lasted for one request only, the largest (`each`). */
export function runSavings({ entries }: BoundaryRun): { readonly tokens: number; readonly each: boolean } {
  const saved = entries.map(({ compaction }) => comparableBefore(compaction) - compaction.tokensAfter);
  if (entries.some(({ compaction }) => compaction.transient === true)) {
    return { tokens: saved.reduce((most, one) => Math.max(most, one), 0), each: true };
  }
  return { tokens: saved.reduce((sum, one) => sum + one, 0), each: false };
}
