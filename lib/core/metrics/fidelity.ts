import type { RequestIndex, Tokens } from "../base/units";
import { boundariesOf, recordedContext, type SessionColumns } from "../columns/columns";
import type { Policy, PolicyChosen } from "../compaction/policy";
import { replay } from "../compaction/replay";
import type { SimulatedCompaction } from "../compaction/simulated-compaction";
import { recordedSeries } from "../context/recorded";
import { isManual, type Segment, segmentsOf } from "./segments";

/** A predicted compaction this many requests beside the recorded one still meets it. Source: replay-method.md, "Simulating" 6. */
const HIT_REQUESTS = 1;

/** The policy of the recording's own agent, with its settings. */
export interface OwnPolicy extends PolicyChosen {
  readonly policy: Policy;
}

/**
 * What became of a recorded compaction. `manual`: a person asked for it, which no policy predicts. `unseen`: it is the
 * first thing in the file, so that nothing of the state before it is recorded. Neither counts as hit or miss.
 */
export type Verdict = "hit" | "miss" | "manual" | "unseen";

/** A compaction that the policy predicts. */
export interface Prediction {
  readonly request: RequestIndex;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
}

/** What became of one recorded compaction in one of the two figures. */
export interface Check {
  readonly verdict: Verdict;
  /** The prediction that met it; absent but for hits. */
  readonly prediction: Prediction | undefined;
}

/** A recorded compaction and what the policy made of it. */
export interface CheckedBoundary {
  /** Row of the columns' boundaries. */
  readonly row: number;
  /** Request point before which it happened. */
  readonly request: RequestIndex;
  /** As the record says; absent where it does not. */
  readonly tokensBefore: Tokens | undefined;
  /** As the record says, else the recorded context of the first request after it. */
  readonly tokensAfter: Tokens | undefined;
  /** Recorded context of the request before it; absent where there is none. */
  readonly lastRecorded: Tokens | undefined;
  /** That context and the estimate of what came after it; absent where no policy could predict the compaction. */
  readonly wouldSend: Tokens | undefined;
  readonly reanchored: Check;
  readonly freeRunning: Check;
}

/** Predicted less recorded tokens over the hits where both are known. */
export interface TokenError {
  readonly boundaries: number;
  readonly bias: Tokens;
  readonly meanAbsolute: Tokens;
}

/** Predictions against the recording. Hits and misses sum to the recorded compactions that could be predicted. */
export interface FidelityFigures {
  readonly hits: number;
  readonly misses: number;
  readonly falseAlarms: number;
  /** Predictions that no recorded compaction answers. */
  readonly alarms: readonly Prediction[];
  /** Absent without a hit whose size is recorded. */
  readonly errorBefore: TokenError | undefined;
  readonly errorAfter: TokenError | undefined;
}

export interface Fidelity {
  /** Size at which the policy fires; absent for policies without one. */
  readonly threshold: Tokens | undefined;
  /** Every recorded compaction, in order. */
  readonly boundaries: readonly CheckedBoundary[];
  /** Each recorded compaction predicted from the recorded state after the one before it. */
  readonly reanchored: FidelityFigures;
  /** The policy alone, from the first request. */
  readonly freeRunning: FidelityFigures;
}

/** The two ways of predicting. */
export type FidelityKind = "reanchored" | "freeRunning";

/**
 * How well a policy predicts the compactions of a recording of its own agent. Counting is `anchored`, as the agents do it
 * themselves. Nothing is fitted.
 * @param tokens token column of the agent's estimator, inferred overhead included
 */
export function fidelityOf(columns: SessionColumns, tokens: Int32Array, own: OwnPolicy): Fidelity {
  const segments = segmentsOf(columns, tokens);
  const reanchored = joined(segments.map((segment) => matchSegment(columns, segment, own)));
  const rows = boundariesOf(columns, "compaction");
  const freeRunning = match(columns, rows, predict({ columns, tokens, from: 0, runEnded: false }, own));
  const boundaries = rows.map((row, index) => ({
    ...recordedBoundary(columns, row, segments[index]),
    reanchored: checkOf(columns, row, reanchored),
    freeRunning: checkOf(columns, row, freeRunning),
  }));
  return {
    threshold: own.policy.threshold?.(own),
    boundaries,
    reanchored: figures(boundaries, "reanchored", reanchored.alarms),
    freeRunning: figures(boundaries, "freeRunning", freeRunning.alarms),
  };
}

/** The policy's compactions, counted by the recording's requests. Pruning between them is none, as in a recording. */
function predict(stretch: Omit<Segment, "boundary">, { policy, preset, settings, window }: OwnPolicy): Prediction[] {
  const { columns, tokens, from, runEnded } = stretch;
  const options = { preset, window, counting: "anchored", own: true, runEnded } as const;
  const { compactions } = replay(columns, tokens, policy, settings, options);
  return compactions.filter(isCompaction).map(({ request, tokensBefore, tokensAfter }) => ({
    request: from + request,
    tokensBefore,
    tokensAfter,
  }));
}

function isCompaction({ outcome }: SimulatedCompaction): boolean {
  return outcome === "summary" || outcome === "fallback";
}

/** Which prediction met which recorded compaction, by boundary row, and the predictions that met none. */
interface Matching {
  readonly met: ReadonlyMap<number, Prediction>;
  readonly alarms: readonly Prediction[];
}

function matchSegment(columns: SessionColumns, segment: Segment, own: OwnPolicy): Matching {
  const rows = segment.boundary === undefined ? [] : [segment.boundary];
  return match(columns, rows, predict(segment, own));
}

function joined(matchings: readonly Matching[]): Matching {
  return {
    met: new Map(matchings.flatMap(({ met }) => [...met])),
    alarms: matchings.flatMap(({ alarms }) => alarms),
  };
}

/** Every recorded compaction takes the nearest prediction within reach that none before it took. */
function match(columns: SessionColumns, rows: readonly number[], predictions: readonly Prediction[]): Matching {
  const met = new Map<number, Prediction>();
  const left = [...predictions];
  for (const row of rows) {
    const at = unpredictable(columns, row) === undefined ? nearest(left, columns.boundaries.request[row] ?? 0) : -1;
    const prediction = at === -1 ? undefined : left.splice(at, 1)[0];
    if (prediction !== undefined) met.set(row, prediction);
  }
  return { met, alarms: left };
}

function checkOf(columns: SessionColumns, row: number, { met }: Matching): Check {
  const prediction = met.get(row);
  return { verdict: unpredictable(columns, row) ?? (prediction === undefined ? "miss" : "hit"), prediction };
}

function unpredictable(columns: SessionColumns, row: number): "manual" | "unseen" | undefined {
  if (isManual(columns, row)) return "manual";
  return columns.boundaries.request[row] === 0 ? "unseen" : undefined;
}

/** Index of the nearest prediction within reach of a request; −1 where there is none. */
function nearest(predictions: readonly Prediction[], request: RequestIndex): number {
  let best = -1;
  let least = HIT_REQUESTS + 1;
  predictions.forEach((prediction, index) => {
    const distance = Math.abs(prediction.request - request);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

/** What the recording says of a compaction. @param segment the one that ends with it */
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

/** The recorded context at the segment's last point, which is the one that its boundary came before. */
function lastContext({ columns, tokens }: Segment): Tokens | undefined {
  return recordedSeries(columns, tokens).context.at(-1);
}

/** A recorded figure; −1 in the columns is none. */
function known(tokens: Tokens | undefined): Tokens | undefined {
  return tokens === undefined || tokens < 0 ? undefined : tokens;
}

function figures(
  boundaries: readonly CheckedBoundary[],
  kind: FidelityKind,
  alarms: readonly Prediction[],
): FidelityFigures {
  const count = (verdict: Verdict) => boundaries.filter((boundary) => boundary[kind].verdict === verdict).length;
  return {
    hits: count("hit"),
    misses: count("miss"),
    falseAlarms: alarms.length,
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

/** Errors of single boundaries as one; `undefined` where none is known. */
export function tokenError(errors: readonly (Tokens | undefined)[]): TokenError | undefined {
  const present = errors.filter((error) => error !== undefined);
  if (present.length === 0) return undefined;
  const mean = (values: readonly number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return { boundaries: present.length, bias: mean(present), meanAbsolute: mean(present.map(Math.abs)) };
}
