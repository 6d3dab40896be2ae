import { recordedUnder } from "@/lib/core/compaction/policies/recorded";
import { windowToExceed, windowToFill } from "@/lib/core/context/window";
import { comparedOf } from "@/lib/core/metrics/compared";
import { refetchedOf } from "@/lib/core/refetch/metrics";
import { metricInput } from "@/lib/queries/replays/replay-result";
import { useReplay, useSession } from "./stores";

/** Metrics of the recording and of the replay in force, as the panel's results and the timeline's verdict compare them. */
export function useOutcome() {
  const { recorded } = useSession("recorded");
  const { simulated, choice, over, costs } = useReplay("simulated", "choice", "over", "costs");
  const regret = useReplay(({ schedule }) => schedule) !== "pending";
  const { columns } = over;
  const asRecorded = {
    replay: recordedUnder(recorded, windowToExceed(choice.window)),
    window: windowToFill(choice.window),
    isRecording: true,
    cost: costs.ofRecording(),
    regret: null,
    bestUsd: null,
    refetched: refetchedOf(columns, recorded, true),
  };
  const ran = { prepared: choice, replay: simulated, counting: choice.counting, recording: over };
  const input = metricInput(ran, costs, { regret });
  return {
    recording: { ...asRecorded.replay, ...comparedOf(asRecorded, columns) },
    replayed: { ...simulated, ...comparedOf(input, columns), summaryCallsUsd: input.cost?.summaryCalls },
  };
}
