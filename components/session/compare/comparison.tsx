import { type ReactNode, useMemo, useRef } from "react";
import { policyById } from "@/lib/agents/loaded";
import { type Difference, differences } from "@/lib/core/figures/difference";
import { type Remark, remarksOn } from "@/lib/core/figures/remarks";
import { useCosts } from "../state/cost-data";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { requiredContext } from "../state/required-context";
import { useSession } from "../state/session-data";
import { useAddress } from "../state/use-address";
import { asksForContents } from "../state/use-measures";
import { useRunMeasures } from "../state/use-run-measures";
import { COMPARE_PARSERS, placesOfKnown } from "./compare-params";
import { type ComparedRun, RunCache, recordedRun, simulatedRun } from "./compared-runs";
import { firstSettings } from "./first-settings";
import type { AddedRun } from "./run-param";

/** The comparison in force: the recording, the replay panel's policy, and the added runs. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly difference: readonly Difference[];
  readonly remarks: readonly Remark[];
  /** The run that the others are compared with. */
  readonly base: number;
  readonly setBase: (run: number) => void;
  /** The run with which a policy, by its id, joins the others: one that is not among them yet. */
  readonly firstSettings: (policy: string) => AddedRun;
}

const [Context, useComparison] = requiredContext<Comparison>("Comparison");

export { useComparison };

/** Replays the added runs over the same numbers as the page's own simulation: it sends no request and counts nothing again. */
export function ComparisonProvider({ children }: { readonly children: ReactNode }) {
  const { columns } = useSession();
  const { recorded, recording, observedTrigger } = useRecorded();
  const { choice, simulated, over } = useReplay();
  const [{ runs: asked, base: askedBase }, update] = useAddress(COMPARE_PARSERS);
  const added = useMemo(() => placesOfKnown(asked).flatMap((place) => asked[place] ?? []), [asked]);
  const policies = useMemo(() => added.flatMap(({ policy }) => policyById(policy) ?? []), [added]);
  const measured = useRunMeasures(
    columns,
    policies,
    added.some(({ settings }) => asksForContents(settings)),
  );
  const cache = useRef(new RunCache());
  const { counting } = choice;
  const { costs } = useCosts();
  const input = useMemo(
    () => ({ ...recording, columns: measured, counting, costs }),
    [recording, measured, counting, costs],
  );
  const others = useMemo(() => cache.current.runsOf(added, input), [added, input]);
  const comparison = useMemo((): Comparison => {
    const [first, second] = [
      recordedRun(recorded, { ...recording, columns: measured }, observedTrigger, costs),
      simulatedRun(choice, simulated, over, costs),
    ];
    const runs = [first, second, ...others];
    const difference = differences(runs);
    return {
      runs,
      difference,
      remarks: remarksOn(runs, difference),
      base: askedBase < runs.length ? askedBase : 0,
      setBase: (base) => void update({ base }),
      firstSettings: (policy) => firstSettings(policy, runs, input),
    };
  }, [
    recorded,
    recording,
    measured,
    observedTrigger,
    choice,
    simulated,
    over,
    others,
    costs,
    input,
    askedBase,
    update,
  ]);
  return <Context value={comparison}>{children}</Context>;
}
