import { type ReactNode, useMemo } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { triggerHandle } from "@/components/settings/trigger-setting";
import type { SweepSet, VaryRange } from "@/lib/core/analysis/grid";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Spent, SweptKey } from "@/lib/core/metrics/registry";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import type { SweptPoint } from "@/lib/queries/replays/sweep";
import { chosenOf } from "@/lib/queries/session/session-context";
import { withSettings } from "../shared/state/replay-choice";
import { useReplay, useReplayActions, useSession } from "../shared/state/stores";
import { useAddress } from "../shared/state/use-address";
import { type Axis, rangeBetween, rangeProblem, SWEEP_PARSERS, type SweptPolicy, sweepAxes, usualAxes } from "./axes";
import { type Sweeping, useSweep } from "./use-sweep";

interface SweepData extends Sweeping {
  readonly axes: readonly Axis[];
  readonly metric: SweptKey;
  readonly setMetric: (metric: SweptKey) => void;
  /** Metric that the front compares with the tokens kept. */
  readonly spent: Spent;
  readonly setSpent: (spent: Spent) => void;
  readonly setRanges: (ranges: readonly VaryRange[]) => void;
  /** True if the replay panel is set to a point. */
  readonly isCurrent: (point: Pick<SweptPoint, "set">) => boolean;
  /** Sets the replay panel to a point. */
  readonly open: (point: Pick<SweptPoint, "set">) => void;
}

const [Context, useSweepData] = requiredContext<SweepData>("SweepData");

export { useSweepData };

export function SweepDataProvider({ children }: { readonly children: ReactNode }) {
  const { choice } = useReplay("choice");
  const { setSetting } = useReplayActions();
  const [{ vary, metric: asked, front }, update] = useAddress(SWEEP_PARSERS);
  const { summary } = useSession("summary");
  // Costs answer the usual question; without a price for every model a map of costs would be empty.
  const metric = asked ?? (summary.costUsd?.total == null ? "tokensSent" : "costUsd");
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
 * The default ranges. They follow from the recording and the policy's own settings, so that they stay while a slider moves; a few replays determine
 * them.
 * @param wanted whether they are needed
 */
function useFirstRanges(wanted: boolean): readonly VaryRange[] {
  const chosen = useReplay(({ chosen }) => chosen);
  const { recording } = useSession("recording");
  const { columns } = useReplay(({ over }) => over);
  return useMemo(() => {
    if (!wanted) return NO_RANGES;
    const choice = withSettings(chosen, {});
    return movingRanges(choice, (set) => {
      const settings = { ...choice.settings, ...set };
      return replayPrepared({ ...choice, settings }, choice.counting, { ...recording, columns }).totals;
    });
  }, [wanted, chosen, recording, columns]);
}

/** Result of a replay with some values of the settings. */
type TotalsAt = (set: SweepSet) => Replay["totals"];

/** The lowest threshold of a range, relative to the largest context. */
const LOWEST = 0.25;

/**
 * The default ranges, which change the recording's result: the trigger's, moved to where the recording reaches it, and that of the first other setting with
 * an effect there. Without such a setting, only the trigger.
 */
export function movingRanges(choice: SweptPolicy, totalsAt: TotalsAt): readonly VaryRange[] {
  const [usual, ...rest] = usualAxes(choice);
  if (usual === undefined) return [];
  const first = movingTrigger(choice, usual, totalsAt);
  const { rising } = triggerHandle(choice.policy, [first.spec], chosenOf(choice)) ?? { rising: true };
  // The end of its range that compacts most: there another setting has the most effect.
  const often = { [first.spec.key]: rising ? first.range.from : first.range.to };
  const second = rest.find(({ spec: { key }, range: { from, to } }) =>
    differs(totalsAt({ ...often, [key]: from }), totalsAt({ ...often, [key]: to })),
  );
  return [first, second].flatMap((axis) => (axis === undefined ? [] : [axis.range]));
}

/** The trigger's usual range if it changes the result, else one around the recording's contexts. */
function movingTrigger(choice: SweptPolicy, axis: Axis, totalsAt: TotalsAt): Axis {
  const { spec, range } = axis;
  const handle = triggerHandle(choice.policy, [spec], chosenOf(choice));
  const [low, high] = [totalsAt({ [spec.key]: range.from }), totalsAt({ [spec.key]: range.to })];
  if (handle === undefined || differs(low, high)) return axis;
  const ends = [handle.valueFor(high.peak * LOWEST), handle.valueFor(high.peak)];
  const near = rangeBetween(spec, Math.min(...ends), Math.max(...ends));
  return near.to > near.from ? { spec, range: near } : axis;
}

function differs(a: Replay["totals"], b: Replay["totals"]): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
