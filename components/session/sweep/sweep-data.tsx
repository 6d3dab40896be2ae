import { type ReactNode, useMemo } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import type { StatedSettings } from "@/components/settings/setting-rows";
import { triggerHandle } from "@/components/settings/trigger-setting";
import type { SweepSet, VaryRange } from "@/lib/core/analysis/grid";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Spent, SweptKey } from "@/lib/core/metrics/registry";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import type { SweptPoint } from "@/lib/queries/replays/sweep";
import { chosenOf } from "@/lib/queries/session/session-context";
import { settingsInAddress, useCurrentSettings } from "../shared/runs/use-current-settings";
import { type ReplayChoice, withSettings } from "../shared/state/replay-choice";
import { useReplay, useReplayActions, useSession } from "../shared/state/stores";
import { useAddress } from "../shared/state/use-address";
import {
  type Axis,
  rangeBetween,
  rangeProblem,
  rangeWith,
  SWEEP_PARSERS,
  type SweptPolicy,
  sweepAxes,
  usualAxes,
  valueInForce,
  valueOfOwn,
} from "./axes";
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
  /** True if a point stands for the settings in the user's own files. */
  readonly isOwn: (point: Pick<SweptPoint, "set">) => boolean;
  /** Places in files that state them. */
  readonly ownPlaces: readonly { readonly file: string; readonly line: number }[];
  /** True if the settings of the replay panel lie within the ranges: then they are a point, or lie between some. */
  readonly isBetween: boolean;
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
  const stated = useCurrentSettings(choice);
  const own = useOwnChoice(choice, stated);
  const best = useReplay(({ opening }) => (typeof opening === "object" ? opening.best : undefined));
  const axes = useMemo(
    () => (vary.length > 0 ? sweepAxes(choice, vary) : firstAxes(choice, first, best, own)),
    [choice, vary, first, best, own],
  );
  const ownValues = useMemo(
    () => new Map(axes.map(({ spec }) => [spec.key, own && valueOfOwn(choice, own, spec)])),
    [axes, choice, own],
  );
  const sound = useMemo(() => (axes.some((axis) => rangeProblem(axis) !== undefined) ? [] : axes), [axes]);
  const sweeping = useSweep(sound, metric);
  const { specs } = choice;
  const inForce = useMemo(
    () => new Map(axes.map(({ spec }) => [spec.key, valueInForce(choice, spec)])),
    [axes, choice],
  );
  const data: SweepData = {
    ...sweeping,
    axes,
    metric,
    setMetric: (next) => void update({ metric: next }),
    // The front uses the shown metric if it can.
    spent: front ?? (metric === "costUsd" ? metric : "tokensSent"),
    setSpent: (next) => void update({ front: next }),
    setRanges: (ranges) => void update({ vary: [...ranges] }),
    isCurrent: ({ set }) => Object.entries(set).every(([key, value]) => inForce.get(key) === value),
    isOwn: ({ set }) => Object.entries(set).every(([key, value]) => ownValues.get(key) === value),
    ownPlaces: [...stated.values()].map(({ file, line }) => ({ file, line })),
    isBetween: axes.every(({ spec, range }) => isWithin(range, inForce.get(spec.key) ?? Number.NaN)),
    open: ({ set }) => {
      for (const [key, value] of Object.entries(set)) {
        const spec = specs.find((one) => one.key === key);
        setSetting(key, spec?.default === value ? null : value);
      }
    },
  };
  return <Context value={data}>{children}</Context>;
}

function isWithin({ from, to }: VaryRange, value: number): boolean {
  return value >= from && value <= to;
}

/** The policy with the settings in the user's own files; `undefined` if they state none. */
function useOwnChoice(choice: ReplayChoice, stated: StatedSettings): ReplayChoice | undefined {
  return useMemo(
    () => (stated.size === 0 ? undefined : withSettings(choice, settingsInAddress(choice.specs, stated))),
    [choice, stated],
  );
}

/**
 * The default axes: the default ranges, extended to the values under the policy's defaults, the values in force, and the best trigger of the quick
 * sweep on opening. The values of the user's own settings are points; without those, the defaults are.
 */
export function firstAxes(
  choice: ReplayChoice,
  ranges: readonly VaryRange[],
  best: { readonly key: string; readonly value: number } | undefined,
  own?: ReplayChoice,
): readonly Axis[] {
  const byDefault = withSettings(choice, {});
  return sweepAxes(choice, ranges).map((axis) => {
    const found = best?.key === axis.spec.key ? [best.value] : [];
    const ours = own && valueOfOwn(choice, own, axis.spec);
    const others = [valueInForce(choice, axis.spec), ...found];
    const [first, ...rest] = [...(ours === undefined ? [] : [ours]), valueInForce(byDefault, axis.spec), ...others];
    return { ...axis, range: rangeWith(axis, [first ?? axis.range.from, ...rest]) };
  });
}

const NO_RANGES: readonly VaryRange[] = [];

/**
 * The default ranges. They follow from the recording and the policy's own settings, so that they stay while a slider
 * moves; a few replays determine them.
 * @param wanted true if they are needed
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
/** Thresholds that a usual range must span, as a share of those between the lowest and the largest context. */
const MIN_SPAN = 0.5;

/**
 * The default ranges, both of which change the recording's result: the trigger's range, moved to where the recording reaches it, and the range of the
 * first other setting with an effect there. Only the trigger's if there is no such setting.
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

/** The trigger's default range if it changes the result and spans enough of the recording's contexts; else a range that spans them. */
function movingTrigger(choice: SweptPolicy, axis: Axis, totalsAt: TotalsAt): Axis {
  const { spec, range } = axis;
  const handle = triggerHandle(choice.policy, [spec], chosenOf(choice));
  const [low, high] = [totalsAt({ [spec.key]: range.from }), totalsAt({ [spec.key]: range.to })];
  if (handle === undefined) return axis;
  const span = Math.abs(handle.thresholdAt(range.to) - handle.thresholdAt(range.from));
  if (differs(low, high) && span >= MIN_SPAN * (1 - LOWEST) * high.peak) return axis;
  const ends = [handle.valueFor(high.peak * LOWEST), handle.valueFor(high.peak)];
  const near = rangeBetween(spec, Math.min(...ends), Math.max(...ends));
  return near.to > near.from ? { spec, range: near } : axis;
}

function differs(a: Replay["totals"], b: Replay["totals"]): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
