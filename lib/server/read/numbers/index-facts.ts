import { accuracyOf } from "@/lib/core/analysis/accuracy";
import type { ItemIndex } from "@/lib/core/base/units";
import { recordingOf } from "@/lib/core/context/recording";
import { checkCacheRule } from "@/lib/core/cost/cache-rule";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { type RefetchBoundary, recordedRefetchBoundaries } from "@/lib/core/refetch/boundaries";
import type { Ledger } from "@/lib/core/refetch/ledger";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { type RefetchedAfter, requestMetrics } from "@/lib/queries/cost/request-metrics";
import { isInputError } from "../../base/input-error";
import { usablePrices } from "../../base/prices";
import type { WasteTexts } from "../texts/waste-texts";
import type { AccuracySource } from "./accuracy";
import { type IndexedEvidence, indexedEvidence } from "./evidence";
import { type FidelitySource, ownFidelity } from "./fidelity";
import type { RequestPlaces, SessionPlace } from "./request-places";

/** The index's facts of a session besides its summary. */
export interface IndexFacts {
  /** Searched text: the beginnings of its prompts, its files and tools. */
  readonly text: string;
  /** Metrics of its requests: see `requestMetrics`. */
  readonly metrics: Float64Array;
  /** The places of its requests, by their codes in the metrics. */
  readonly places: readonly SessionPlace[];
  /** Mean error of the estimate bytes / 4, as a share; `null` if nothing can be compared. */
  readonly accuracy: number | null;
  /** Accuracy of the agent's own policy on the recorded compactions; `null` if none can be checked. */
  readonly fidelity: IndexedFidelity | null;
  /** Re-fetches after its compactions; `null` if unknown. */
  readonly needed: IndexedRefetches | null;
  /** Reliability of its metrics. */
  readonly scores: readonly IndexedScore[];
  /** Evidence for findings over many sessions; `null` if it has no request. */
  readonly evidence: IndexedEvidence | null;
}

interface IndexedRefetches {
  /** Paths and edits (N3 and N4), and the tokens to re-fetch them. */
  readonly count: number;
  readonly tokens: number;
}

/**
 * Names of the index's shares: `cache`: pairs of requests whose cache reads the cache rule predicts within 2 %. `foreseen`: predicted re-fetches (by
 * the rule of simulated boundaries) that happened. `bought`: re-fetched results that it predicts. `summary-recall`: re-fetched paths that the summary
 * names. `summary-precision`: paths in the summary that were used. Source: docs/method.md, "Re-fetched content".
 */
export const SCORES = ["cache", "foreseen", "bought", "summary-recall", "summary-precision"] as const;
export type Score = (typeof SCORES)[number];

/** A share as its part and its whole, so that shares of sessions can be summed. */
export interface IndexedScore {
  readonly score: Score;
  readonly part: number;
  readonly whole: number;
}

interface IndexedFidelity {
  /** Recorded compactions that the policy predicts, each from the recorded state after the previous one. */
  readonly met: number;
  /** Predictable ones: not requested by the user. */
  readonly checked: number;
}

/** A session that was just read. */
type JustRead = AccuracySource & FidelitySource & LedgerSource & CommandSource & PlaceSource;

interface PlaceSource {
  /** Absent for a bundle, which names no branch and no folder. */
  readonly requestPlaces?: RequestPlaces;
}

interface CommandSource {
  /** See `shellCommands`; absent for a bundle, which has no texts. */
  readonly commands?: ReadonlyMap<ItemIndex, string>;
  /** Absent likewise. */
  readonly waste?: WasteTexts;
}

/** Re-fetches after some boundaries, from the session's texts. */
interface LedgerSource {
  readonly ledger: (asked: {
    readonly boundaries: readonly RefetchBoundary[];
    readonly isRecording: boolean;
    readonly sizes: Int32Array;
  }) => Promise<Ledger>;
}

const NO_PLACES: RequestPlaces = { places: [{ branch: null, worktree: null, subagent: null }], codes: [] };

/** The index facts of a session that was just read. Its texts are read again only if there is a compaction to check, which needs the agent's own count. */
export async function indexFacts(read: JustRead, text: string): Promise<IndexFacts> {
  const ledger = read.summary.compactions.length === 0 ? undefined : await recordedLedger(read);
  const refetched = refetchedIn(read, ledger);
  const { places, codes } = read.requestPlaces ?? NO_PLACES;
  return {
    text,
    needed: refetched === undefined ? null : refetchedOf(refetched),
    scores: [...cacheScore(read), ...refetchScores(ledger)],
    metrics: requestMetrics(
      read.columns,
      usablePrices(),
      refetched,
      codes,
      read.summary.compactions.map(({ durationMs }) => durationMs),
    ),
    places,
    accuracy: await meanError(read),
    fidelity: read.summary.compactions.length === 0 ? null : await indexedFidelity(read),
    evidence: await evidenceOf(read),
  };
}

/** Evidence by estimated sizes, since texts of a session without a compaction are not counted for the index. */
async function evidenceOf({ summary, columns, tokens, commands, waste }: JustRead): Promise<IndexedEvidence | null> {
  if (summary.requests === 0) return null;
  return indexedEvidence({ summary, columns, tokens: await tokens("bytes-4"), commands, waste }, usablePrices());
}

/** Error of the estimate alone: its trigger takes a replay, which a request for the session makes. */
async function meanError({ summary, columns, tokens }: JustRead): Promise<number | null> {
  if (summary.requests < 2) return null;
  const recording = recordingOf(summary, { columns, tokens: await tokens("bytes-4") });
  return accuracyOf(recording, undefined)?.mape ?? null;
}

function cacheScore({ columns }: JustRead): readonly IndexedScore[] {
  const rule = checkCacheRule(columns, pricedRequests(columns, usablePrices()));
  return rule === undefined || rule.pairs === 0 ? [] : [{ score: "cache", part: rule.within2, whole: rule.pairs }];
}

/** `undefined` if the file was replaced since it was read: it is read again soon. */
async function recordedLedger(read: JustRead): Promise<Ledger | undefined> {
  try {
    const sizes = await read.tokens(ownEstimator(read.summary));
    return await read.ledger({ boundaries: recordedRefetchBoundaries(read.columns), isRecording: true, sizes });
  } catch (error) {
    if (isInputError(error)) return undefined;
    throw error;
  }
}

function refetchedOf(refetched: readonly RefetchedAfter[]): IndexedRefetches {
  const sum = (of: (one: RefetchedAfter) => number) => refetched.reduce((all, one) => all + of(one), 0);
  return { count: sum(({ count }) => count), tokens: sum(({ tokens }) => tokens) };
}

/** Re-fetches by the requests after compactions; `undefined` if unknown. */
function refetchedIn(
  { summary, columns }: JustRead,
  ledger: Ledger | undefined,
): readonly RefetchedAfter[] | undefined {
  if (summary.compactions.length === 0) return [];
  if (ledger === undefined || ledger.unknown !== undefined) return undefined;
  const boundaries = recordedRefetchBoundaries(columns);
  return ledger.boundaries.map(({ boundary, needs }) => {
    const counted = needs.filter(({ kind }) => kind === "N3" || kind === "N4");
    const tokens = counted.reduce((sum, one) => sum + one.tokens, 0);
    return { request: boundaries[boundary]?.request ?? 0, count: counted.length, tokens };
  });
}

function refetchScores(ledger: Ledger | undefined): readonly IndexedScore[] {
  const scores: IndexedScore[] = [];
  const add = (score: Score, part: number, whole: number) => {
    if (whole > 0) scores.push({ score, part, whole });
  };
  const predictor = ledger?.predictor;
  if (predictor !== undefined) {
    add("foreseen", predictor.confirmed, predictor.predicted);
    add("bought", predictor.refetchedPredicted, predictor.refetched);
  }
  const named = ledger?.boundaries.flatMap(({ summary }) => summary?.paths ?? []) ?? [];
  const sum = (of: (one: (typeof named)[number]) => number) => named.reduce((all, one) => all + of(one), 0);
  add(
    "summary-recall",
    sum((one) => one.neededNamed),
    sum((one) => one.needed),
  );
  add(
    "summary-precision",
    sum((one) => one.namedUsed),
    sum((one) => one.named),
  );
  return scores;
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
