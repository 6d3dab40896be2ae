import { useSettled } from "@/components/hooks/use-settled";
import type { BestSchedule } from "@/lib/questions/cost/best-schedule";
import { useCosts } from "./cost-data";
import type { ReplayChoice } from "./replay-choice";
import { useReplay } from "./replay-data";

/** How long the settings have to rest before the search begins. */
const REST_MS = 300;

/**
 * When the policy in force would best have compacted; `undefined` where that is not known. It is searched for once the settings rest: until then it is
 * pending, unless only settings have moved that do not matter to it.
 */
export function useBestSchedule(): BestSchedule | undefined | "pending" {
  const { choice, over } = useReplay();
  const { costs } = useCosts();
  const rested = useSettled<ReplayChoice | null>(choice, REST_MS, null);
  const run = { prepared: choice, counting: choice.counting, recording: over };
  return rested === choice || costs.knowsSchedule(run) ? costs.bestSchedule(run) : "pending";
}
