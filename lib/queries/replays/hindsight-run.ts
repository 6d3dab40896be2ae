import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import type { Recording } from "@/lib/core/context/recording";
import type { ReplayRequest } from "@/lib/queries/contract/types";
import type { ScheduledRun } from "../cost/hindsight-optimum";
import type { ReplayCosts } from "../cost/simulated-cost";
import { ChoiceError, preparePolicy } from "../session/session-context";
import { countingInForce, type RanReplay, replayPrepared } from "./replay-result";

/**
 * A policy that compacts with the best timing in hindsight instead of its rule, for comparison. The policy still decides what its compactions keep.
 * `undefined` if it has no best schedule.
 */
export function preparedAtHindsightOptimum<Prepared extends ScheduledRun["prepared"]>(
  run: ScheduledRun & { readonly prepared: Prepared },
  costs: ReplayCosts,
): Prepared | undefined {
  const found = costs.hindsightOptimum(run);
  if (found === undefined) return undefined;
  const { threshold: _rule, ...policy } = scheduledPolicy(run.prepared.policy, new Set(found.requests));
  return { ...run.prepared, policy };
}

/** Replays a policy with its best timing. Throws `ChoiceError`, also if it has none, and `SettingError`. */
export function runAtHindsightOptimum(request: ReplayRequest, recording: Recording, costs: ReplayCosts): RanReplay {
  const chosen = preparePolicy(request, recording, costs);
  const counting = countingInForce(request, recording);
  const prepared = preparedAtHindsightOptimum({ prepared: chosen, counting, recording }, costs);
  if (prepared === undefined) throw new ChoiceError(`${chosen.policy.id} has no best schedule here: ${WHY_NONE}`);
  const run = replayPrepared(prepared, counting, recording);
  return { prepared, replay: splitOverhead(run, recording.overhead), counting, recording };
}

const WHY_NONE =
  "a policy that clears or shortens between its compactions, or makes none, has none, nor has a session in which a request has no price or nothing tells what a cache returned.";
