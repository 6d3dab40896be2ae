import type { SessionColumns } from "@/lib/core/columns/columns";
import { recordingOf, type WrittenBy } from "@/lib/core/context/recording";
import { SIZE_ESTIMATORS } from "@/lib/core/tokens/estimator";
import { accuracyRow, accuracyRows } from "@/lib/queries/accuracy/accuracy";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import type { AccuracyRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { ESTIMATOR_IDS, requireEstimator } from "./estimators";

/**
 * Estimators to compare with the recorded usage. Estimators that need only sizes are always included, since they cost nothing. `own` adds the
 * estimator of the recording's agent, which takes one more pass over the texts. `all` adds every estimator, with one pass each.
 */
export type AccuracyChoice = "sizes" | "own" | "all" | readonly string[];

/** Reads a choice from the command line or a query: a word, or ids separated by commas. Throws `UnknownEstimatorError`. */
export function accuracyChoice(text: string): AccuracyChoice {
  if (text === "sizes" || text === "own" || text === "all") return text;
  const ids = text.split(",").filter((id) => id !== "");
  for (const id of ids) requireEstimator(id);
  return ids;
}

/** The ids of a choice, each once. */
export function accuracyEstimators(choice: AccuracyChoice, session: WrittenBy): readonly string[] {
  return [...new Set([...Object.keys(SIZE_ESTIMATORS), ...chosen(choice, ownEstimator(session))])];
}

function chosen(choice: AccuracyChoice, own: string): readonly string[] {
  if (choice === "sizes") return [];
  if (choice === "own") return [own];
  return choice === "all" ? [own, ...ESTIMATOR_IDS] : choice;
}

export interface AccuracySource {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** Token column of an estimator, inferred overhead included. */
  readonly tokens: (estimator: string) => Promise<Int32Array>;
}

/**
 * The accuracy of estimators over a session, in order. `null`, without counting, if it has no usage to compare with. Rejects as the session's
 * `tokens` does.
 */
export async function accuracyOfSession(
  choice: AccuracyChoice,
  { summary, columns, tokens }: AccuracySource,
): Promise<AccuracyRow[] | null> {
  if (summary.requests < 2) return null;
  const rows: (AccuracyRow | undefined)[] = [];
  for (const id of accuracyEstimators(choice, summary)) {
    rows.push(accuracyRow(id, recordingOf(summary, { columns, tokens: await tokens(id) })));
  }
  return accuracyRows(rows);
}
