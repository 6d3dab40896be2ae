import { triggerHandle } from "@/components/settings/trigger-setting";
import type { Steps } from "@/lib/core/base/steps";
import { recordedContext, type SessionColumns } from "@/lib/core/columns/columns";
import { basisOf, isComparable } from "@/lib/core/compaction/counting";
import { thrashes } from "@/lib/core/compaction/simulation/simulated-compaction";
import { chosenOf } from "@/lib/queries/session/session-context";
import type { Opening, ReplayState } from "../shared/state/replay";
import { replayedOrIdle, withSettings } from "../shared/state/replay-choice";

/** Shares of the largest context (at most of the window) that a quick sweep tries as the trigger: a higher trigger would change nothing. */
const SHARES = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * Sweeps some triggers in steps, so that the page stays responsive, from the columns that the page has. `undefined` if no setting moves the policy's
 * trigger. Triggers that thrash are left out, and so are triggers whose basis is not comparable with the replay in force.
 */
export function* cheapestTrigger({
  choice,
  over,
  costs,
  simulated,
}: Pick<ReplayState, "choice" | "over" | "costs" | "simulated">): Steps<Omit<Opening, "over"> | undefined> {
  const { policy, specs, settings, window } = choice;
  const handle = triggerHandle(policy, specs, chosenOf(choice));
  if (handle === undefined) return undefined;
  const { key } = handle.spec;
  const now = costs.of(choice, simulated)?.total ?? null;
  const basis = basisOf(simulated, over.columns);
  const largest = Math.min(window.tokens, Math.max(recordedPeak(over.columns), simulated.totals.peak));
  const values = new Set(SHARES.map((share) => handle.valueFor(share * largest)));
  const own = now ?? simulated.totals.tokensSent;
  let least = own;
  const thrashing: number[] = [];
  let best: Opening["best"];
  for (const value of values) {
    const tried = { ...choice, settings: { ...settings, [key]: value } };
    const replay = yield* replayedOrIdle(tried, over);
    const spent = now === null ? replay.replay.totals.tokensSent : costs.of(tried, replay.replay)?.total;
    const isKnown = replay.failure === undefined && isComparable(basis, basisOf(replay.replay, over.columns));
    if (isKnown && spent != null && spent < own) {
      if (thrashes(replay.replay.compactions)) thrashing.push(spent);
      else if (spent < least) {
        best = { key, value };
        least = spent;
      }
    }
    yield;
  }
  const cheaper = thrashing.filter((spent) => spent < least).length;
  return { tried: values.size, isPriced: now !== null, thrashing: cheaper, ...(best && { best }) };
}

/** The largest context of the recorded usage; 0 without usage. */
function recordedPeak(columns: SessionColumns): number {
  let peak = 0;
  for (let request = 0; request < columns.requests.length; request++) {
    peak = Math.max(peak, recordedContext(columns, request));
  }
  return peak;
}

/** Like `cheapestTrigger`, but compared with the policy's default trigger, whichever trigger is in force. */
export function* openingTrigger(
  state: Pick<ReplayState, "choice" | "over" | "costs">,
): ReturnType<typeof cheapestTrigger> {
  const choice = withSettings(state.choice, {});
  const { replay: simulated } = yield* replayedOrIdle(choice, state.over);
  return yield* cheapestTrigger({ ...state, choice, simulated });
}
