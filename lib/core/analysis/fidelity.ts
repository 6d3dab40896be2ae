import { meanOf, range } from "../base/numbers";
import type { RequestIndex, Tokens } from "../base/units";
import { boundariesOf, FLAG, KIND, recordedContext, type SessionColumns, TRIGGER } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { pointEnd } from "../columns/points";
import { recordedSeries } from "../context/recorded";
import { estimateError } from "./estimate-error";
import {
  type Alarm,
  type Matching,
  matchPredictions,
  type OwnPolicy,
  type Predictable,
  type Prediction,
} from "./predictions";
import { isManual, type Segment, segmentsOf } from "./segments";

/**
 * Missing evidence. `call`: the result of a call before the compaction. `masked`: a text before it. `trimmed`: the beginning of the file. `window`:
 * the window; only a lower bound of it is known. `idle`: the agent compacted during a pause, and its idle rule is not among the policy's settings.
 * `usage`: the sizes that the agent compared.
 */
type Missing = "call" | "masked" | "trimmed" | "window" | "idle" | "usage";

/** Facts of a recording besides its columns. */
export interface Evidence {
  /** True if only a lower bound of the window is known. */
  readonly isWindowUnknown?: boolean;
  /** True if the file lacks its beginning. */
  readonly isTrimmed?: boolean;
  /** True if the agent compares recorded usage, and the file has none: sizes are then estimates with an unknown error. */
  readonly lacksUsage?: boolean;
  /** The window at a request; absent if it never changes. */
  readonly windowAt?: ((request: RequestIndex) => Tokens) | undefined;
}

/**
 * The verdict on a recorded compaction. `withinError`: the policy did not predict it, or predicted it too early, but would predict it if the
 * estimate were off by up to the session's mean error. `manual`: a person requested it, which no policy predicts. `unseen`: it is the first
 * thing in the file, so the state before it is not recorded. `overflow`: the provider refused the prompt, and the policy did not predict that.
 * `untold`: evidence is missing. The last four count neither as hit nor as miss.
 */
type Verdict = "hit" | "withinError" | "miss" | "manual" | "unseen" | "overflow" | "untold";

/** The verdict on one recorded compaction, anchored or free-running. */
export interface Check {
  readonly verdict: Verdict;
  /** The prediction that matches it; present only for hits. */
  readonly prediction: Prediction | undefined;
  /** The assumed error of the estimate; present only for the verdict `withinError`. */
  readonly error: Tokens | undefined;
}

/** A recorded compaction and the policy's prediction for it. */
export interface CheckedBoundary {
  /** Its row in the columns' boundaries. */
  readonly row: number;
  /** The request point before which it happened. */
  readonly request: RequestIndex;
  /** The recorded size before it, if the record has one. */
  readonly tokensBefore: Tokens | undefined;
  /** The recorded size after it, else the recorded context of the next request. */
  readonly tokensAfter: Tokens | undefined;
  /** Recorded context of the request before it; absent if there is none. */
  readonly lastRecorded: Tokens | undefined;
  /** `lastRecorded` plus the estimate of later items; absent if no policy could predict the compaction. */
  readonly wouldSend: Tokens | undefined;
  /** The missing evidence; absent if the recording has everything that the policy used. */
  readonly missing: Missing | undefined;
  readonly reanchored: Check;
  readonly freeRunning: Check;
}

/** Predicted less recorded tokens, over the hits with both known. */
interface TokenError {
  readonly boundaries: number;
  readonly bias: Tokens;
  readonly meanAbsolute: Tokens;
}

/** Predictions against the recording. `hits`, `misses` and `withinError` sum to the recorded compactions that could be predicted. */
export interface FidelityMetrics {
  readonly hits: number;
  readonly withinError: number;
  readonly misses: number;
  /** Number of alarms that are not within error. */
  readonly falseAlarms: number;
  /** Predictions that match no recorded compaction. */
  readonly alarms: readonly Alarm[];
  /** Absent if no hit has a recorded size. */
  readonly errorBefore: TokenError | undefined;
  readonly errorAfter: TokenError | undefined;
}

export interface Fidelity {
  /** Size at which the policy fires; absent for policies without one. */
  readonly threshold: Tokens | undefined;
  /** Every recorded compaction, in order. */
  readonly boundaries: readonly CheckedBoundary[];
  /** Each recorded compaction is predicted from the recorded state after the one before it. */
  readonly reanchored: FidelityMetrics;
  /** The policy runs alone, from the first request. */
  readonly freeRunning: FidelityMetrics;
}

/** The two ways of predicting. */
type FidelityKind = "reanchored" | "freeRunning";

/**
 * Compares a policy's predicted compactions with those of a recording of its own agent. Counting is `anchored`, as the agents count. Nothing is
 * fitted.
 * @param recording counted by the agent's own estimator
 */
export function fidelityOf(recording: CountedColumns, own: OwnPolicy, evidence: Evidence = {}): Fidelity {
  const { columns } = recording;
  const segments = segmentsOf(recording);
  const rows = boundariesOf(columns, "compaction");
  const error = estimateError(recording);
  const predictable = predictableOf(columns, rows);
  const actsIdle = Number(own.settings.idleMinutes ?? 0) > 0;
  const missing = new Map(
    rows.map((row, index) => [row, missingAt(columns, row, index === 0, evidence, actsIdle)] as const),
  );
  const { isWindowUnknown = false, lacksUsage = false } = evidence;
  // A prediction by uncertain numbers may be wrong itself.
  const withAlarms = (matching: Matching) => (isWindowUnknown || lacksUsage ? { ...matching, alarms: [] } : matching);
  const reanchored = joined(
    segments.map((stretch) => {
      const ending = predictable.filter(({ row }) => row === stretch.boundary);
      const window = evidence.windowAt?.(Math.max(stretch.from, stretchEnd(columns, stretch) - 1)) ?? own.window;
      const matching = matchPredictions(ending, { stretch, own: { ...own, window }, error });
      const { boundary = -1 } = stretch;
      const isFound = matching.met.has(boundary) || matching.withinError.has(boundary);
      // Missing items could only enlarge the context, so they matter only if the policy predicts nothing.
      const isDecided = isFound || (matching.alarms.length > 0 && !lacksUsage && missing.get(boundary) !== "idle");
      if (isDecided && !isWindowUnknown) missing.delete(boundary);
      return withAlarms(matching);
    }),
  );
  const stretch = { ...recording, from: 0, runEnded: false };
  const freeRunning = withAlarms(matchPredictions(predictable, { stretch, own, error }));
  const boundaries = rows.map((row, index) => ({
    ...recordedBoundary(columns, row, segments[index]),
    missing: missing.get(row),
    reanchored: checkOf(columns, row, reanchored, missing.get(row)),
    freeRunning: checkOf(columns, row, freeRunning, missing.get(row)),
  }));
  return {
    // A lower bound of the window is not a limit.
    threshold: isWindowUnknown ? undefined : own.policy.threshold?.(own),
    boundaries,
    reanchored: metrics(boundaries, "reanchored", reanchored.alarms),
    freeRunning: metrics(boundaries, "freeRunning", freeRunning.alarms),
  };
}

function predictableOf(columns: SessionColumns, rows: readonly number[]): readonly Predictable[] {
  return rows.flatMap((row) =>
    unpredictable(columns, row) === undefined ? [{ row, request: columns.boundaries.request[row] ?? 0 }] : [],
  );
}

function joined(matchings: readonly Matching[]): Matching {
  return {
    met: new Map(matchings.flatMap(({ met }) => [...met])),
    withinError: new Map(matchings.flatMap(({ withinError }) => [...withinError])),
    alarms: matchings.flatMap(({ alarms }) => alarms),
  };
}

function checkOf(
  columns: SessionColumns,
  row: number,
  { met, withinError }: Matching,
  missing: Missing | undefined,
): Check {
  const undecided = unpredictable(columns, row) ?? (missing === "window" ? "untold" : undefined);
  if (undecided !== undefined) return { verdict: undecided, prediction: undefined, error: undefined };
  const error = withinError.get(row);
  const prediction = error === undefined ? met.get(row) : undefined;
  const unpredicted = columns.boundaries.trigger[row] === TRIGGER.overflow ? "overflow" : "miss";
  const withoutPrediction = missing === undefined ? unpredicted : "untold";
  const found = prediction === undefined ? withoutPrediction : "hit";
  return { verdict: error === undefined ? found : "withinError", prediction, error };
}

/** The request before which a segment ends. */
function stretchEnd({ boundaries, requests }: SessionColumns, { boundary }: Segment): RequestIndex {
  return boundary === undefined ? requests.length : (boundaries.request[boundary] ?? 0);
}

/** The missing evidence for a compaction. Only items after the last response matter, since its usage covers the rest. */
function missingAt(
  columns: SessionColumns,
  row: number,
  isFirst: boolean,
  { isWindowUnknown, isTrimmed, lacksUsage }: Evidence,
  actsIdle: boolean,
): Missing | undefined {
  if (isWindowUnknown === true) return "window";
  if (!actsIdle && columns.boundaries.trigger[row] === TRIGGER.idle) return "idle";
  const { boundaries, kind, pair, flags } = columns;
  const request = boundaries.request[row] ?? 0;
  // Recorded usage includes the part that the file lacks.
  if (isTrimmed === true && isFirst && recordedContext(columns, request - 1) < 0) return "trimmed";
  const behind = range(
    request === 0 ? columns.overheadRows : pointEnd(columns, request - 1),
    boundaries.item[row] ?? 0,
  );
  const answered = new Set(behind.map((item) => (kind[item] === KIND.tool_result ? (pair[item] ?? -1) : -1)));
  if (behind.some((item) => kind[item] === KIND.tool_call && !answered.has(item))) return "call";
  const isMasked = (item: number) => kind[item] !== KIND.thinking && ((flags[item] ?? 0) & FLAG.ESTIMATED) !== 0;
  if (behind.some(isMasked)) return "masked";
  return lacksUsage === true ? "usage" : undefined;
}

function unpredictable(columns: SessionColumns, row: number): "manual" | "unseen" | undefined {
  if (isManual(columns, row)) return "manual";
  return columns.boundaries.request[row] === 0 ? "unseen" : undefined;
}

/**
 * The recorded sizes of a compaction.
 * @param segment the one that the compaction ends
 */
function recordedBoundary(columns: SessionColumns, row: number, segment: Segment | undefined) {
  const { boundaries } = columns;
  const request = boundaries.request[row] ?? 0;
  return {
    row,
    request,
    tokensBefore: known(boundaries.tokensBefore[row]),
    tokensAfter: known(boundaries.tokensAfter[row]) ?? known(recordedContext(columns, request)),
    lastRecorded: known(recordedContext(columns, request - 1)),
    wouldSend: segment === undefined || unpredictable(columns, row) !== undefined ? undefined : lastContext(segment),
  };
}

/** The recorded context at the segment's last point, before which its boundary happened. */
function lastContext(segment: Segment): Tokens | undefined {
  return recordedSeries(segment).context.at(-1);
}

/** A recorded size, or `undefined` for the columns' −1. */
function known(tokens: Tokens | undefined): Tokens | undefined {
  return tokens === undefined || tokens < 0 ? undefined : tokens;
}

function metrics(
  boundaries: readonly CheckedBoundary[],
  kind: FidelityKind,
  alarms: readonly Alarm[],
): FidelityMetrics {
  const count = (verdict: Verdict) => boundaries.filter((boundary) => boundary[kind].verdict === verdict).length;
  return {
    hits: count("hit"),
    withinError: count("withinError"),
    misses: count("miss"),
    falseAlarms: alarms.filter(({ withinError }) => !withinError).length,
    alarms,
    errorBefore: tokenError(boundaries.map((boundary) => errorOf(boundary, kind, "tokensBefore"))),
    errorAfter: tokenError(boundaries.map((boundary) => errorOf(boundary, kind, "tokensAfter"))),
  };
}

function errorOf(boundary: CheckedBoundary, kind: FidelityKind, size: "tokensBefore" | "tokensAfter") {
  const { prediction } = boundary[kind];
  const recorded = boundary[size];
  return prediction === undefined || recorded === undefined ? undefined : prediction[size] - recorded;
}

/** The errors of single boundaries combined; `undefined` if none is known. */
export function tokenError(errors: readonly (Tokens | undefined)[]): TokenError | undefined {
  const present = errors.filter((error) => error !== undefined);
  if (present.length === 0) return undefined;
  const bias = Math.round(meanOf(present));
  return { boundaries: present.length, bias, meanAbsolute: Math.round(meanOf(present.map(Math.abs))) };
}
