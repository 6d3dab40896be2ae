import type { SessionColumns } from "@/lib/core/columns/columns";
import { type BreakSum, breaksOfSummary } from "@/lib/questions/cost";
import { type AccuracySource, accuracyOfSession } from "./accuracy";
import { usablePrices } from "./prices";

/** What the index keeps of a session beside its summary. */
export interface IndexFacts {
  /** What it is found by: the beginnings of its prompts, its files and tools. */
  readonly text: string;
  readonly breaks: readonly BreakSum[];
  /** Mean error of the estimate bytes / 4, as a share; `null` where nothing can be compared. */
  readonly accuracy: number | null;
}

/** A session that was just read. */
type JustRead = AccuracySource & { readonly columns: SessionColumns };

/** Only what needs no second pass over the texts. */
export async function indexFacts(read: JustRead, text: string): Promise<IndexFacts> {
  const rows = await accuracyOfSession("sizes", read);
  return {
    text,
    breaks: breaksOfSummary(read.columns, usablePrices()),
    accuracy: rows?.find(({ estimator }) => estimator === "bytes-4")?.mape ?? null,
  };
}
