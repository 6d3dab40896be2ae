import { type ReactNode, useEffect, useMemo, useState } from "react";
import { inSlices } from "@/components/hooks/newest-result";
import { requiredContext } from "@/components/hooks/required-context";
import { useSettled } from "@/components/hooks/use-settled";
import type { BestSchedule } from "@/lib/queries/cost/best-schedule";
import { useCosts } from "./cost-data";
import type { ReplayChoice } from "./replay-choice";
import { useReplay } from "./replay-data";

/** How long the settings have to rest before the search begins. */
const REST_MS = 300;

/** `undefined` where it is not known. */
interface Searched {
  readonly schedule: BestSchedule | undefined | "pending";
}

const [Context, useSearched] = requiredContext<Searched>("BestSchedule");

/**
 * When the policy in force would best have compacted; `undefined` where that is not known. It is searched for between frames once the settings rest:
 * until it is found it is pending, unless only settings have moved that do not matter to it.
 */
export function useBestSchedule(): Searched["schedule"] {
  return useSearched().schedule;
}

export function BestScheduleProvider({ children }: { readonly children: ReactNode }) {
  const { choice, over } = useReplay();
  const { costs } = useCosts();
  const rests = useSettled<ReplayChoice | null>(choice, REST_MS, null) === choice;
  const run = useMemo(() => ({ prepared: choice, counting: choice.counting, recording: over }), [choice, over]);
  const [found, setFound] = useState({});
  useEffect(() => {
    if (!rests) return;
    // A comparison may have found it by then: its table asks at once.
    if (!costs.knowsSchedule(run)) return inSlices(costs.searchSchedule(run), () => setFound({}));
    setFound({});
  }, [rests, costs, run]);
  // biome-ignore lint/correctness/useExhaustiveDependencies(found): what is known changes when the search has ended.
  const searched = useMemo(
    (): Searched => ({ schedule: costs.knowsSchedule(run) ? costs.bestSchedule(run) : "pending" }),
    [costs, run, found],
  );
  return <Context value={searched}>{children}</Context>;
}
