import { type ReactNode, useMemo } from "react";
import type { Spent, SweptKey } from "@/lib/core/figures/registry";
import type { VaryRange } from "@/lib/core/metrics/grid";
import { replayPrepared } from "@/lib/questions/replays/replay-result";
import type { SweptPoint } from "@/lib/questions/replays/sweep";
import { useRecorded } from "../state/recorded-data";
import { withSettings } from "../state/replay-choice";
import { usePolicyChoice, useReplay, useReplayActions } from "../state/replay-data";
import { requiredContext } from "../state/required-context";
import { useAddress } from "../state/use-address";
import { type Axis, rangeProblem, sweepAxes } from "./axes";
import { movingRanges } from "./moving-ranges";
import { type Sweeping, useSweep } from "./use-sweep";
import { SWEEP_PARSERS } from "./vary-param";

/** The sweep in force. */
export interface SweepData extends Sweeping {
  readonly axes: readonly Axis[];
  readonly metric: SweptKey;
  readonly setMetric: (metric: SweptKey) => void;
  /** What the front weighs against the tokens kept. */
  readonly spent: Spent;
  readonly setSpent: (spent: Spent) => void;
  readonly setRanges: (ranges: readonly VaryRange[]) => void;
  /** Whether the replay panel is set to a point. */
  readonly isCurrent: (point: Pick<SweptPoint, "set">) => boolean;
  /** Sets the replay panel to a point. */
  readonly open: (point: Pick<SweptPoint, "set">) => void;
}

const [Context, useSweepData] = requiredContext<SweepData>("SweepData");

export { useSweepData };

export function SweepDataProvider({ children }: { readonly children: ReactNode }) {
  const { choice } = useReplay();
  const { setSetting } = useReplayActions();
  const [{ vary, metric, front }, update] = useAddress(SWEEP_PARSERS);
  const first = useFirstRanges(vary.length === 0);
  const axes = useMemo(() => sweepAxes(choice, vary.length > 0 ? vary : first), [choice, vary, first]);
  const sound = useMemo(() => (axes.some((axis) => rangeProblem(axis) !== undefined) ? [] : axes), [axes]);
  const sweeping = useSweep(sound, metric);
  const { settings, specs } = choice;
  const data: SweepData = {
    ...sweeping,
    axes,
    metric,
    setMetric: (next) => void update({ metric: next }),
    spent: front,
    setSpent: (next) => void update({ front: next }),
    setRanges: (ranges) => void update({ vary: [...ranges] }),
    isCurrent: ({ set }) => Object.entries(set).every(([key, value]) => settings[key] === value),
    open: ({ set }) => {
      for (const [key, value] of Object.entries(set)) {
        const spec = specs.find((one) => one.key === key);
        setSetting(key, spec?.default === value ? null : value);
      }
    },
  };
  return <Context value={data}>{children}</Context>;
}

const NO_RANGES: readonly VaryRange[] = [];

/**
 * The ranges that are swept before somebody chooses some. They follow from the recording and the policy's own settings, so that they stay while a slider
 * moves; a few replays find them.
 * @param wanted whether they are needed
 */
function useFirstRanges(wanted: boolean): readonly VaryRange[] {
  const chosen = usePolicyChoice();
  const { recording } = useRecorded();
  const { columns } = useReplay().over;
  return useMemo(() => {
    if (!wanted) return NO_RANGES;
    const choice = withSettings(chosen, {});
    return movingRanges(choice, (set) => {
      const settings = { ...choice.settings, ...set };
      return replayPrepared({ ...choice, settings }, choice.counting, { ...recording, columns }).totals;
    });
  }, [wanted, chosen, recording, columns]);
}
