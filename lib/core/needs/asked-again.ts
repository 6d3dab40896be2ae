import type { ItemIndex } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { NeedBoundary } from "./boundaries";
import type { NeedsIndex } from "./index-builder";

/** A typed message that repeats one that was dropped (N5 of docs/method.md, "Needed again"): a hint, no need. */
export interface AskedAgain {
  /** The boundary, as its place in the list. */
  readonly boundary: number;
  readonly dropped: ItemIndex;
  readonly again: ItemIndex;
}

/** Messages repeat each other from this share of common words on, of all words of both. */
const LEAST_ALIKE = 0.6;
/** Shorter messages, such as "yes, go on", repeat each other by chance. */
const LEAST_WORDS = 5;

/** What was asked again after each compaction, each dropped message once, at its first place. */
export function askedAgain(
  columns: SessionColumns,
  { words }: Pick<NeedsIndex, "words">,
  boundaries: readonly NeedBoundary[],
): readonly AskedAgain[] {
  const longEnough = (row: ItemIndex) => raggedRow(words, row).length >= LEAST_WORDS;
  return boundaries.flatMap(({ kind, dropped, carried, from }, boundary) => {
    if (kind !== "compaction") return [];
    const next = boundaries.findIndex((one, index) => index > boundary && one.kind === "compaction");
    const end = boundaries[next]?.from ?? columns.length;
    const isCarried = new Set(carried);
    // Messages of the same words count as one.
    const asked = new Map<string, ItemIndex>();
    for (const row of dropped) if (longEnough(row)) asked.set([...raggedRow(words, row)].sort().join(), row);
    const found: AskedAgain[] = [];
    for (let again = from; again < end; again++) {
      if (!longEnough(again) || isCarried.has(again)) continue;
      const own = new Set(raggedRow(words, again));
      for (const [key, row] of asked) {
        if (alike(own, raggedRow(words, row)) < LEAST_ALIKE) continue;
        asked.delete(key);
        found.push({ boundary, dropped: row, again });
        break;
      }
    }
    return found;
  });
}

/** The share of words that both have, of all that one of them has. */
function alike(own: ReadonlySet<number>, other: Int32Array): number {
  let both = 0;
  for (const word of other) if (own.has(word)) both += 1;
  return both / (own.size + other.length - both);
}
