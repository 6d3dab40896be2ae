import type { RequestIndex, Tokens } from "../base/units";
import type { Compaction, ContextView, Policy, PolicyChosen, PolicyPlan, PolicyRun } from "../compaction/policy/policy";
import { replay } from "../compaction/replay";
import type { EstimateError } from "./estimate-error";
import type { Segment } from "./segments";

/** Maximum distance in requests between a prediction and the recorded compaction that it matches. Source: docs/method.md, "Fidelity". */
const HIT_REQUESTS = 1;

/** The policy of the recording's own agent, with its settings. */
export interface OwnPolicy extends PolicyChosen {
  readonly policy: Policy;
}

/** A compaction that the policy predicts. */
export interface Prediction {
  readonly request: RequestIndex;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
}

/** A prediction that matches no recorded compaction. */
export interface Alarm extends Prediction {
  /** True if it could be due to estimation error; then it is not a false alarm. */
  readonly withinError: boolean;
}

/** A recorded compaction that a policy could predict. */
export interface Predictable {
  /** Its row in the columns' boundaries. */
  readonly row: number;
  readonly request: RequestIndex;
}

/** A stretch of the recording to replay, the policy, and the possible error of the estimates; `undefined` if that is unknown. */
interface PredictionInput {
  readonly stretch: Omit<Segment, "boundary">;
  readonly own: OwnPolicy;
  readonly error: EstimateError | undefined;
}

/** Results for the recorded compactions, by boundary row, and the predictions that match none. */
export interface Matching {
  readonly met: ReadonlyMap<number, Prediction>;
  /** The compactions that the policy may have predicted, with the possible error of the estimate that decides. */
  readonly withinError: ReadonlyMap<number, Tokens>;
  readonly alarms: readonly Alarm[];
}

/**
 * Compares the policy's predictions over a stretch with the recorded compactions in it. If it misses one or predicts another, it runs a second time
 * and follows the recording at requests where the error of an estimate decides.
 */
export function matchPredictions(recorded: readonly Predictable[], input: PredictionInput): Matching {
  const alone = match(recorded, predict(input, input.own.policy));
  const isMet = alone.unmatched.length === 0 && recorded.every(({ row }) => alone.met.has(row));
  if (input.error === undefined || isMet) return { met: alone.met, withinError: new Map(), alarms: falseAlarms(alone) };
  const open: Undecided[] = [];
  const requests = new Set(recorded.flatMap(({ request }) => [request, request + 1]));
  const decided = decidedPolicy(input.own.policy, input.error, (undecided) => {
    const request = input.stretch.from + undecided.request;
    open.push({ ...undecided, request });
    return requests.has(request);
  });
  return combined(recorded, alone, match(recorded, predict(input, decided)), open);
}

/**
 * Combines both runs: compactions that the first run predicts stay matched.
 * @param along predictions of the second run, which follows the recording where the error decides
 */
function combined(recorded: readonly Predictable[], alone: Match, along: Match, open: readonly Undecided[]): Matching {
  const [first] = alone.all;
  const early = open.find(({ request }) => request === first?.request);
  const withdrawn = early !== undefined && first !== undefined && alone.unmatched.includes(first) ? first : undefined;
  const errorAt = ({ row, request }: Predictable): Tokens | undefined => {
    if (alone.met.has(row)) return undefined;
    const met = along.met.get(row);
    if (met === undefined) return open[nearest(open, request)]?.error;
    // Without help the policy compacts earlier, so it could no longer predict this compaction.
    if (withdrawn !== undefined && met === along.all[0]) return early?.error;
    return open.find((undecided) => undecided.request === met.request)?.error;
  };
  const found = recorded.map((one) => [one.row, errorAt(one)] as const);
  return {
    met: new Map([...along.met, ...alone.met]),
    withinError: new Map(found.flatMap(([row, error]) => (error === undefined ? [] : [[row, error]]))),
    alarms: [...(withdrawn === undefined ? [] : [{ ...withdrawn, withinError: true }]), ...falseAlarms(along)],
  };
}

function falseAlarms({ unmatched }: Match): readonly Alarm[] {
  return unmatched.map((prediction) => ({ ...prediction, withinError: false }));
}

/** The policy's compactions. */
interface Predictions {
  readonly summaries: readonly Prediction[];
  /** Truncations that drop messages without a summary. Not every agent records them, so they are never false alarms. */
  readonly truncations: readonly Prediction[];
}

/** The policy's compactions, numbered by the recording's requests. Pruning between them does not count, as in a recording. */
function predict({ stretch, own }: PredictionInput, policy: Policy): Predictions {
  const { from, runEnded } = stretch;
  const options = { preset: own.preset, window: own.window, counting: "anchored", own: true, runEnded } as const;
  const { compactions } = replay(stretch, policy, own.settings, options);
  const predictions = (chosen: typeof compactions) =>
    chosen.map(({ request, tokensBefore, tokensAfter }) => ({ request: from + request, tokensBefore, tokensAfter }));
  return {
    summaries: predictions(compactions.filter(summarises)),
    truncations: predictions(compactions.filter(({ outcome, droppedItems }) => outcome === "trim" && droppedItems > 0)),
  };
}

/** All predictions, divided into those that match a recorded compaction (by its boundary row) and the rest. */
interface Match {
  readonly all: readonly Prediction[];
  readonly met: ReadonlyMap<number, Prediction>;
  readonly unmatched: readonly Prediction[];
}

/** Matches every recorded compaction with the nearest prediction within reach that no earlier one took. */
function match(recorded: readonly Predictable[], { summaries, truncations }: Predictions): Match {
  const met = new Map<number, Prediction>();
  const unmatched = [...summaries];
  const further = [...truncations];
  for (const { row, request } of recorded) {
    const prediction = takeNearest(unmatched, request) ?? takeNearest(further, request);
    if (prediction !== undefined) met.set(row, prediction);
  }
  return { all: summaries, met, unmatched };
}

function takeNearest(predictions: Prediction[], request: RequestIndex): Prediction | undefined {
  const at = nearest(predictions, request);
  return at === -1 ? undefined : predictions.splice(at, 1)[0];
}

/** Index of the nearest prediction within reach of a request; −1 if there is none. */
function nearest(places: readonly { readonly request: RequestIndex }[], request: RequestIndex): number {
  let best = -1;
  let least = HIT_REQUESTS + 1;
  places.forEach((place, index) => {
    const distance = Math.abs(place.request - request);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

/** A request before which the error of an estimate decides whether a policy compacts. */
interface Undecided {
  readonly request: RequestIndex;
  /** Possible error of the estimate. */
  readonly error: Tokens;
}

/**
 * Wraps a policy: it compacts as the policy does when the error of the last response's estimate makes no difference, and calls `decide` when it does.
 * The agent itself knew the response's output from its usage; if the file does not record it, an estimate replaces it. After a compaction the
 * policy's state no longer depends on estimates, so nothing is undecided.
 * @param error of an estimate
 * @param decide returns true if the policy compacts
 */
export function decidedPolicy(policy: Policy, error: EstimateError, decide: (undecided: Undecided) => boolean): Policy {
  return { ...policy, begin: (plan) => decidedRun(policy, plan, error, decide) };
}

function decidedRun(
  policy: Policy,
  plan: PolicyPlan,
  error: EstimateError,
  decide: (undecided: Undecided) => boolean,
): PolicyRun {
  let certain = policy.begin(plan);
  let possible: PolicyRun | undefined = policy.begin(plan);
  return {
    before: (view) => {
      if (possible === undefined) return certain.before(view);
      const by = error(view.lastOutput);
      const answer = certain.before(withOutput(view, view.lastOutput - by));
      const other = possible.before(withOutput(view, view.lastOutput + by));
      if (answer !== undefined) {
        possible = undefined;
        return answer;
      }
      if (other === undefined) return undefined;
      if (!summarises(other) && !truncates(other, view)) {
        // This run did not happen, so its policy state is discarded.
        possible = policy.begin(plan);
        return undefined;
      }
      const compacts = decide({ request: view.request, error: by });
      // Exactly one of the two runs is the real one; the other restarts or ends.
      if (compacts) certain = possible;
      possible = compacts ? undefined : policy.begin(plan);
      return compacts ? other : undefined;
    },
  };
}

/** True for compactions that a recording would record: clearing and pruning do not count. */
function summarises({ outcome }: Pick<Compaction, "outcome">): boolean {
  return outcome === "summary" || outcome === "fallback";
}

/** True if a compaction drops messages without a summary. */
function truncates({ outcome, kept }: Compaction, { items }: ContextView): boolean {
  return outcome === "trim" && kept.reduce((sum, [from, to]) => sum + to - from, 0) < items.length;
}

/** The view with another estimate of the last response. */
function withOutput(view: ContextView, lastOutput: Tokens): ContextView {
  const shown: ContextView = Object.create(view, { lastOutput: { value: Math.max(0, lastOutput) } });
  return shown;
}
