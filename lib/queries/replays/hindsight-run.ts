import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import type { Recording } from "@/lib/core/context/recording";
import type { ReplayRequest } from "@/lib/queries/contract/types";
import type { ScheduledRun } from "../cost/hindsight-optimum";
import type { ReplayCosts } from "../cost/simulated-cost";
import { ChoiceError, preparePolicy } from "../session/session-context";
import { countingInForce, type RanReplay, replayPrepared } from "./replay-result";

/**
 * A policy that compacts with the best timing in hindsight instead of its rule, for comparison. The policy still decides what a compaction keeps.
 * `undefined` if it has no hindsight optimum.
 */
export function preparedAtHindsightOptimum<Prepared extends ScheduledRun["prepared"]>(
  run: ScheduledRun & { readonly prepared: Prepared },
  costs: ReplayCosts,
): Prepared | undefined {
  const found = costs.hindsightOptimum(run);
  if (found === undefined) return undefined;
  const { threshold: _rule, ...policy } = scheduledPolicy(run.prepared.policy, new Set(found.requests), found);
  return { ...run.prepared, policy };
}

/** Replays a policy with its best timing. Throws `ChoiceError`, also if it has none, and `SettingError`. */
export function runAtHindsightOptimum(request: ReplayRequest, recording: Recording, costs: ReplayCosts): RanReplay {
  const chosen = preparePolicy(request, recording, costs);
  const counting = countingInForce(request, recording);
  const prepared = preparedAtHindsightOptimum({ prepared: chosen, counting, recording }, costs);
  if (prepared === undefined) throw new ChoiceError(`${chosen.policy.id} has no hindsight optimum here: ${WHY_NONE}`);
  const run = replayPrepared(prepared, counting, recording);
  return { prepared, replay: splitOverhead(run, recording.overhead), counting, recording };
}

const WHY_NONE =
  "none exists for a policy that never compacts, or that clears or truncates between compactions, nor for a session with an unpriced request or unknown cache reads.";
