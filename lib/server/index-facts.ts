import { type BreakSum, breaksOfSummary } from "@/lib/questions/cost";
import { type AccuracySource, accuracyOfSession } from "./accuracy";
import { type FidelitySource, ownFidelity } from "./fidelity";
import { isInputError } from "./ingest/input-error";
import { usablePrices } from "./prices";

/** What the index keeps of a session beside its summary. */
export interface IndexFacts {
  /** What it is found by: the beginnings of its prompts, its files and tools. */
  readonly text: string;
  readonly breaks: readonly BreakSum[];
  /** Mean error of the estimate bytes / 4, as a share; `null` where nothing can be compared. */
  readonly accuracy: number | null;
  /** How the agent's own policy does at the recorded compactions; `null` where none can be checked. */
  readonly fidelity: IndexedFidelity | null;
}

export interface IndexedFidelity {
  /** Recorded compactions that the policy meets, each from the recorded state after the one before it. */
  readonly met: number;
  /** Those that it could have met: no person asked for them. */
  readonly checked: number;
}

/** A session that was just read. */
type JustRead = AccuracySource & FidelitySource;

/** The texts are read a second time only where there is a compaction to check: that takes the agent's own count. */
export async function indexFacts(read: JustRead, text: string): Promise<IndexFacts> {
  const rows = await accuracyOfSession("sizes", read);
  return {
    text,
    breaks: breaksOfSummary(read.columns, usablePrices()),
    accuracy: rows?.find(({ estimator }) => estimator === "bytes-4")?.mape ?? null,
    fidelity: read.summary.compactions.length === 0 ? null : await indexedFidelity(read),
  };
}

async function indexedFidelity(read: JustRead): Promise<IndexedFidelity | null> {
  try {
    const fidelity = await ownFidelity(read);
    if (fidelity === null) return null;
    const { hits: met, withinError, misses } = fidelity.reanchored;
    const checked = met + withinError + misses;
    return checked === 0 ? null : { met, checked };
  } catch (error) {
    // The file was replaced since it was read: it is read again soon.
    if (isInputError(error)) return null;
    throw error;
  }
}
