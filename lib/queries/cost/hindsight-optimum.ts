import type { Steps } from "@/lib/core/base/steps";
import type { RequestIndex } from "@/lib/core/base/units";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import type { CountedColumns } from "@/lib/core/columns/counted";
import { type LeftBehind, leftBehind, uncompacted } from "@/lib/core/compaction/policies/left-behind";
import { canBeScheduled, scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { type CountingMode, type Replay, replaySteps } from "@/lib/core/compaction/replay";
import { trajectoryOf } from "@/lib/core/compaction/simulation/trajectory";
import type { RecordingFacts } from "@/lib/core/context/recording";
import type { MicroDollars } from "@/lib/core/cost/money";
import { totalOf } from "@/lib/core/cost/recorded-cost";
import { hindsightOptimum, type ScheduledPauses } from "@/lib/core/cost/simulated/hindsight-optimum";
import type { CostBasis, SimulatedCost } from "@/lib/core/cost/simulated/simulated-cost";
import { chosenOf, type PreparedPolicy } from "../session/session-context";

/** A policy's best timing in hindsight, its actions in pauses, and the session's cost with it. */
export interface HindsightOptimum extends ScheduledPauses {
  readonly requests: readonly RequestIndex[];
  readonly cost: MicroDollars;
}

/** A policy in a replay of a recording. */
export interface ScheduledRun {
  readonly prepared: Pick<PreparedPolicy, "policy" | "preset" | "settings" | "window" | "specs">;
  readonly counting: CountingMode;
  readonly recording: CountedColumns & { readonly facts: Pick<RecordingFacts, "agent"> };
}

/** Pricing of a simulation. */
interface SchedulePrices {
  readonly basis: CostBasis;
  /** True if the policy's summary call begins with content that was sent before; `undefined` if unknown. */
  readonly sharesPrefix: boolean | undefined;
  readonly costOf: (replay: Replay) => SimulatedCost | undefined;
}

/**
 * Finds the schedule by arithmetic (docs/method.md, "The hindsight optimum") and then replays it: its cost is the replay's. `undefined` for a policy
 * that cannot compact at chosen requests or makes no summaries, and for unknown costs. Takes up to four times as long as a compaction before every
 * request.
 */
export function* findSchedule(
  run: ScheduledRun,
  { basis, sharesPrefix, costOf }: SchedulePrices,
): Steps<HindsightOptimum | undefined> {
  const { prepared, counting, recording } = run;
  const { policy, preset, settings, window } = prepared;
  if (!canBeScheduled(policy, chosenOf(prepared))) return undefined;
  const options = { preset, window: window.tokens, counting, own: policy.id === recording.facts.agent };
  const { replay: never, simulated, left, pauses } = yield* uncompacted(recording, policy, settings, options);
  const [shared, grown] = [never.shared, simulated.shared];
  if (shared === undefined || grown === undefined || left.tokens.every((tokens) => tokens < 0)) return undefined;
  const { turnStart } = trajectoryOf(recording.columns);
  const { context, estimated } = never;
  const session = {
    context,
    estimated,
    shared,
    left,
    turnStart,
    pauses,
    simulated: { context: simulated.context, shared: grown },
  };
  const found = hindsightOptimum(basis, session, window.tokens, sharesPrefix);
  if (found === undefined) return undefined;
  yield;
  const replayed = function* ({ cost: _, ...schedule }: typeof found): Steps<HindsightOptimum | undefined> {
    const scheduled = scheduledPolicy(policy, new Set(schedule.requests), schedule);
    const cost = costOf(yield* replaySteps(recording, scheduled, settings, options));
    const total = cost && totalCost(cost);
    return total === undefined ? undefined : { ...schedule, cost: total };
  };
  let best = yield* replayed(found);
  const take = (other: HindsightOptimum | undefined) => {
    if (other !== undefined && (best === undefined || other.cost < best.cost)) best = other;
  };
  // A compaction's result may depend on the one before it, so it is measured again after the compactions that were found.
  const tried = new Set([keyOfSchedule(found)]);
  for (let [round, schedule] = [0, found]; round < MAX_ROUNDS && schedule.requests.length > 0; round++) {
    const { measured, inPauses } = yield* leftBehind(recording, policy, settings, options, new Set(schedule.requests));
    const again = {
      ...session,
      left: behind(measured, left),
      pauses: { ...pauses, left: behind(inPauses, pauses.left) },
    };
    const next = hindsightOptimum(basis, again, window.tokens, sharesPrefix);
    if (next === undefined || tried.has(keyOfSchedule(next))) break;
    tried.add(keyOfSchedule(next));
    schedule = next;
    take(yield* replayed(next));
  }
  if (found.compactAfter.size + found.keepAlive.size === 0) return best;
  // For the same reason acting in pauses may cost more in the replay than in the search.
  const withoutPauses = hindsightOptimum(basis, { ...session, pauses: undefined }, window.tokens, sharesPrefix);
  if (withoutPauses !== undefined) take(yield* replayed(withoutPauses));
  return best;
}

/** Most times that the effect of compactions is measured again. */
const MAX_ROUNDS = 3;

function keyOfSchedule({ requests, compactAfter, keepAlive }: Omit<HindsightOptimum, "cost">): string {
  return JSON.stringify([requests, [...compactAfter], [...keepAlive]]);
}

/** Effect of compactions after earlier ones; where those leave nothing to compact, the effect without them. */
function behind(after: LeftBehind, first: LeftBehind): LeftBehind {
  const either = (key: keyof LeftBehind) =>
    after[key].map((value, point) => ((after.tokens[point] ?? -1) < 0 ? (first[key][point] ?? 0) : value));
  return {
    tokens: either("tokens"),
    shared: either("shared"),
    summaryTokens: either("summaryTokens"),
    calledAgain: either("calledAgain"),
    // The search itself subtracts the tokens that the previous compaction took from a call.
    callTokens: first.callTokens,
  };
}

/** The cost of a simulation with its calls for summaries and its keep-alive requests; `undefined` if a part is unknown. */
export function totalCost({ cost, summaryCalls, keepAlive }: SimulatedCost): MicroDollars | undefined {
  const isKnown = cost !== undefined && summaryCalls !== undefined;
  return isKnown ? totalOf(cost) + summaryCalls + keepAlive.cost : undefined;
}

/** Caches schedules. A schedule depends on the kept items, not on the trigger, so choices that differ only in triggers share one. */
export class ScheduleMemory {
  readonly #known = new WeakMap<CountedColumns["tokens"], Map<string, HindsightOptimum | undefined>>();

  has(run: ScheduledRun): boolean {
    return this.#known.get(run.recording.tokens)?.has(keyOf(run)) === true;
  }

  *of(run: ScheduledRun, find: () => Steps<HindsightOptimum | undefined>): Steps<HindsightOptimum | undefined> {
    const { tokens } = run.recording;
    const known = this.#known.get(tokens) ?? new Map<string, HindsightOptimum | undefined>();
    this.#known.set(tokens, known);
    const key = keyOf(run);
    if (!known.has(key)) known.set(key, yield* find());
    return known.get(key);
  }
}

/** Everything of a run except trigger settings and measures that no policy reads. */
function keyOf({ prepared: { policy, preset, settings, window, specs }, counting, recording }: ScheduledRun): string {
  const others = specs.flatMap(({ key, decidesWhen }) => (decidesWhen === true ? [] : [[key, settings[key]]]));
  // A page loads measures after its first replays.
  const { measures } = recording.columns;
  const measured = [...(policy.measures ?? []), CONTENT_MEASURE].map((name) => measures[name] !== undefined);
  // A policy that failed is replaced by one of the same name that never summarises.
  const summarises = policy.summarises !== false;
  return JSON.stringify([policy.id, summarises, preset, window.tokens, counting, others, measured]);
}
