import type { Steps } from "@/lib/core/base/steps";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import type { Policy } from "@/lib/core/compaction/policy";
import { PolicyError } from "@/lib/core/compaction/policy-error";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Recording } from "@/lib/core/context/recording";
import { replayPreparedSteps } from "@/lib/questions/replays/replay-result";
import type { ReplayChoice } from "./replay-choice";

/** A replay as it was asked for; where a policy of one's own failed, one in which it does nothing, and the sentence that says why. */
interface ReplayedOrIdle {
  readonly choice: ReplayChoice;
  readonly replay: Replay;
  readonly failure: string | undefined;
}

/** Replays, whatever a policy of one's own does. */
export function* replayedOrIdle(choice: ReplayChoice, over: Recording): Steps<ReplayedOrIdle> {
  try {
    return { choice, replay: yield* replayPreparedSteps(choice, choice.counting, over), failure: undefined };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const idle = { ...choice, policy: idleAs(choice.policy) };
    return { choice: idle, replay: yield* replayPreparedSteps(idle, idle.counting, over), failure: error.message };
  }
}

/** A policy that does nothing, under the name and with the settings of another. */
export function idleAs({ id, label, presets, settings }: Policy): Policy {
  return { ...nonePolicy, id, label, presets, settings };
}
