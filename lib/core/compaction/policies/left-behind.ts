import type { Steps } from "../../base/steps";
import type { RequestIndex } from "../../base/units";
import type { CountedColumns } from "../../columns/counted";
import { pointCount } from "../../columns/points";
import { pausesOf } from "../pauses";
import type { Compaction, ContextView, Policy } from "../policy/policy";
import type { Settings } from "../policy/settings";
import { type Replay, type ReplayOptions, replaySteps } from "../replay";
import { leftBy } from "../retention";
import { scheduledPolicy } from "./scheduled";

/**
 * Effect of one compaction before each request point, with no other compactions except those that the measuring function names. All columns are by
 * request point. Source: docs/method.md, "The hindsight optimum".
 */
export interface LeftBehind {
  /** Context that it would leave, overhead included; -1 if there is nothing to compact, or the compaction changes nothing. */
  readonly tokens: Int32Array;
  /** Unchanged beginning of that context, in tokens. */
  readonly shared: Int32Array;
  /** Tokens sent for its summary, and the size of the summary. */
  readonly callTokens: Int32Array;
  readonly summaryTokens: Int32Array;
  /** Tokens of the left context that the next summary call sends again, together with the items in between. */
  readonly calledAgain: Int32Array;
}

/** A recording under a policy that never compacts, and the contexts that compactions would leave at each request and in each pause. */
export interface Uncompacted {
  readonly replay: Replay;
  /** The replay by simulation alone, even if `replay` follows the recording. */
  readonly simulated: Replay;
  readonly left: LeftBehind;
  /** By request point, the minutes of the pause before it; and the effect of a compaction then, before the prompt that ends the pause has entered. */
  readonly pauses: { readonly minutes: ArrayLike<number>; readonly left: LeftBehind };
}

/**
 * Replays a recording without compactions, and measures the effect of one before each request. Costs as much as compacting before every request.
 * Throws as `replay` does.
 * @param policy one that can be scheduled
 */
export function* uncompacted(
  recording: CountedColumns,
  policy: Policy,
  settings: Settings,
  options: ReplayOptions,
): Steps<Uncompacted> {
  const { replay: simulated, ...left } = yield* leftBehind(recording, policy, settings, options);
  const never = scheduledPolicy(policy, new Set());
  const pauses = { minutes: pausesOf(recording.columns).minutes, left: left.inPauses };
  return { replay: yield* replaySteps(recording, never, settings, options), simulated, left: left.measured, pauses };
}

/**
 * Replays a recording by simulation alone, and measures the effect of one compaction before each request and in each pause. Costs as much as compacting
 * before every request. Throws as `replay` does.
 * @param policy one that can be scheduled
 * @param schedule requests before which it compacts; default: none
 */
export function* leftBehind(
  recording: CountedColumns,
  policy: Policy,
  settings: Settings,
  options: ReplayOptions,
  schedule: ReadonlySet<RequestIndex> = new Set(),
): Steps<{ readonly replay: Replay; readonly measured: LeftBehind; readonly inPauses: LeftBehind }> {
  const column = () => new Int32Array(pointCount(recording.columns));
  const columns = () => ({
    tokens: column().fill(-1),
    shared: column(),
    callTokens: column(),
    summaryTokens: column(),
    calledAgain: column(),
  });
  const [measured, inPauses] = [columns(), columns()];
  const scheduled = scheduledPolicy(policy, schedule);
  const measuring: Policy = {
    ...policy,
    begin: (plan) => {
      const run = scheduled.begin(plan);
      let historyInPause = 0;
      return {
        before: (view) => {
          const { request, history } = view;
          // The prompt that ended the pause entered after the compaction.
          const inPause = inPauses.tokens[request] ?? -1;
          if (inPause >= 0) inPauses.tokens[request] = inPause + history - historyInPause;
          // A separate run, so that its state is that of a first compaction.
          const compaction = policy.begin(plan).compact?.(view);
          if (compaction !== undefined) put(measured, view, compaction);
          return run.before(view);
        },
        idle: (view) => {
          historyInPause = view.history;
          const isLast = view.request >= measured.tokens.length;
          const compaction = isLast ? undefined : policy.begin(plan).compact?.(view);
          if (compaction !== undefined) put(inPauses, view, compaction);
          return undefined;
        },
        keepAlive: () => 0,
      };
    },
  };
  const counting = options.counting === "anchored" ? "calibrated" : options.counting;
  const replay = yield* replaySteps(recording, measuring, settings, { ...options, counting });
  return { replay, measured, inPauses };
}

/** Records the context that a compaction would leave. A failed call changes nothing. */
function put(left: LeftBehind, view: ContextView, compaction: Compaction): void {
  const { request, history } = view;
  const { outcome, added, summaryTokens, summaryCallTokens } = compaction;
  if (outcome !== "summary" && outcome !== "fallback") return;
  const addedTokens = added.reduce((sum, { tokens }) => sum + tokens, 0);
  const { tokens: after, unchanged } = leftBy(view, compaction);
  left.tokens[request] = after;
  left.shared[request] = unchanged;
  left.callTokens[request] = summaryCallTokens;
  left.summaryTokens[request] = summaryTokens;
  // Items that this call did not send (the overhead, or kept items) are not sent by the next call either.
  left.calledAgain[request] = Math.max(addedTokens, after - (history - summaryCallTokens));
}
