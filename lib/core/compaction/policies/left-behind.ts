import type { Steps } from "../../base/steps";
import type { CountedColumns } from "../../columns/counted";
import { pointCount } from "../../columns/points";
import type { Compaction, ContextView, Policy } from "../policy/policy";
import type { Settings } from "../policy/settings";
import { type Replay, type ReplayOptions, replaySteps } from "../replay";
import { leftBy } from "../retention";
import { scheduledPolicy } from "./scheduled";

/**
 * What one compaction before each request point would do to a history that was never compacted before. All columns are by request point.
 * Source: docs/method.md, "The best schedule".
 */
export interface LeftBehind {
  /** The context that it would leave, overhead included; -1 where there is nothing to compact, or the compaction changes nothing. */
  readonly tokens: Int32Array;
  /** How much of that is the unchanged beginning of what was there. */
  readonly shared: Int32Array;
  /** What is sent for its summary, and how large the summary is. */
  readonly callTokens: Int32Array;
  readonly summaryTokens: Int32Array;
  /** How much of what it leaves the next call for a summary sends again, beside what comes in between. */
  readonly calledAgain: Int32Array;
}

/** A recording under a policy that compacts nowhere, and what it would leave behind wherever it did. */
export interface Uncompacted {
  readonly replay: Replay;
  /** The same by the simulation alone, even where `replay` follows the recording. */
  readonly simulated: Replay;
  readonly left: LeftBehind;
}

/** Costs as much as a compaction before every request. Throws as `replay` does. @param policy one that can be scheduled */
export function* uncompacted(
  recording: CountedColumns,
  policy: Policy,
  settings: Settings,
  options: ReplayOptions,
): Steps<Uncompacted> {
  const column = () => new Int32Array(pointCount(recording.columns));
  const left = { tokens: column().fill(-1), shared: column(), callTokens: column(), summaryTokens: column() };
  const measured = { ...left, calledAgain: column() };
  const measuring: Policy = {
    ...policy,
    begin: (plan) => ({
      before: (view) => {
        // A run of its own: nothing was compacted before.
        const compaction = policy.begin(plan).compact?.(view);
        if (compaction !== undefined) put(measured, view, compaction);
        return undefined;
      },
    }),
  };
  const counting = options.counting === "anchored" ? "calibrated" : options.counting;
  const simulated = yield* replaySteps(recording, measuring, settings, { ...options, counting });
  const never = scheduledPolicy(policy, new Set());
  return { replay: yield* replaySteps(recording, never, settings, options), simulated, left: measured };
}

/** Notes what a compaction would leave. A call that fails leaves everything. */
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
  // What this call did not send of the history (the overhead, or what stays) the next one does not send either.
  left.calledAgain[request] = Math.max(addedTokens, after - (history - summaryCallTokens));
}
