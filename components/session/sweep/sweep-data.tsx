import { type ReactNode, useMemo } from "react";
import type { Spent, SweptKey } from "@/lib/core/figures/registry";
import type { VaryRange } from "@/lib/core/metrics/grid";
import type { SweptPoint } from "@/lib/questions/sweep";
import { useReplay, useReplayActions } from "../state/replay-data";
import { requiredContext } from "../state/required-context";
import { useAddress } from "../state/use-address";
import { type Axis, rangeProblem, sweepAxes } from "./axes";
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
  const axes = useMemo(() => sweepAxes(choice, vary), [choice, vary]);
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
