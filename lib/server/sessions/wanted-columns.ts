import type { Bytes } from "@/lib/core/base/units";
import { encodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { withTokenColumn } from "@/lib/core/columns/token-columns";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { counters } from "../base/counters";
import { MOST_COUNTED_AT_ONCE } from "../read/numbers/count-items";
import { requireEstimator } from "../read/numbers/estimators";
import { hasMeasures } from "../read/numbers/measures";
import type { OpenedSession } from "./opened-session";

/** Columns beyond the basic ones. */
export interface WantedColumns {
  /** Estimators of the requested token columns; `OWN` is that of the recording's agent. */
  readonly estimators: readonly string[];
  /** Policies of the requested measures. */
  readonly policies: readonly string[];
}

/** Stands for the estimator of the recording's own agent, for callers that do not know it before the file is read. */
const OWN = "own";

/** The requested columns as a string, for keys and entity tags. */
export function wantedKey({ estimators, policies }: WantedColumns): string {
  return `${estimators.join("+")}~${policies.join("+")}`;
}

/** The encoded requested columns. Rejects with `InputError` and `UnknownEstimatorError`. */
export async function encodedColumns(session: OpenedSession, wanted: WantedColumns): Promise<Uint8Array<ArrayBuffer>> {
  const estimators = idsOf(wanted.estimators, session.summary, session.version.bytes);
  const { bytes, tokens } = session.encoded;
  if (wanted.policies.length === 0 && estimators.join() === tokens.join()) return bytes;
  const columns = await columnsOf(session, { ...wanted, estimators });
  counters.columnsEncoded += 1;
  return encodeColumns(columns);
}

/** Ids of the requested estimators, each once. That of the recording's agent is omitted for a large file, unless it is named. */
export function idsOf(wanted: readonly string[], summary: SessionSummary, bytes: Bytes): string[] {
  const own = bytes <= MOST_COUNTED_AT_ONCE ? [ownEstimator(summary)] : [];
  return [...new Set(wanted.flatMap((id) => (id === OWN ? own : [id])))];
}

/** The columns with the requested additions. Rejects with `InputError` and `UnknownEstimatorError`. */
export async function columnsOf(
  session: OpenedSession,
  { estimators, policies }: WantedColumns,
): Promise<SessionColumns> {
  let columns = await session.columnsFor(policies);
  const counted = await Promise.all(estimators.map(async (id) => [id, await session.tokens(id)] as const));
  for (const [id, tokens] of counted) columns = withTokenColumn(columns, id, tokens);
  return columns;
}

/** The columns of a query, each once, in a fixed order. Throws `UnknownEstimatorError`. */
export function wantedBy(query: URLSearchParams): WantedColumns {
  const estimators = listOf(query.get("tokens"));
  for (const id of estimators) if (id !== OWN) requireEstimator(id);
  // A policy without measures of its own needs none.
  return { estimators, policies: listOf(query.get("measures")).filter(hasMeasures) };
}

function listOf(text: string | null): string[] {
  return [...new Set((text ?? "").split(","))].filter((id) => id !== "").sort();
}
