import { comparableBefore } from "@/lib/core/compaction/simulated-compaction";
import type { BoundaryEntry } from "./entries";
import type { BoundaryKind } from "./kinds";

/** Boundaries of one kind between two compactions, listed as one: a policy may clear or skip before every request. */
export interface BoundaryRun {
  readonly key: string;
  readonly what: BoundaryKind;
  readonly entries: readonly [BoundaryEntry, ...BoundaryEntry[]];
}

export type Listed = BoundaryEntry | BoundaryRun;

export function isRun(listed: Listed): listed is BoundaryRun {
  return "entries" in listed;
}

/** So many of one kind make a run. Fewer take no more room by themselves. */
const LEAST = 3;

/** Compactions one by one; what lies between two of them by kind, several of a kind as one, in the order of their firsts. */
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
  if (first === undefined || alike.length < LEAST) return alike;
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

/**
 * By how many tokens a run made the context smaller: all of it together. What holds for one request alone does not add up:
 * of such the most of any one.
 */
export function runSavings({ entries }: BoundaryRun): { readonly tokens: number; readonly each: boolean } {
  const saved = entries.map(({ compaction }) => comparableBefore(compaction) - compaction.tokensAfter);
  if (entries.some(({ compaction }) => compaction.transient === true)) {
    return { tokens: saved.reduce((most, one) => Math.max(most, one), 0), each: true };
  }
  return { tokens: saved.reduce((sum, one) => sum + one, 0), each: false };
}
