import type { ReplayResult } from "@/lib/api/types";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import { isInEffect, numberSetting } from "@/lib/core/compaction/settings";
import type { Recording } from "@/lib/core/context/recording";
import { replayPrepared } from "./replay-result";
import type { PreparedPolicy } from "./session-context";

/** The context at every request between what the least and the greatest observed sizes of what a compaction adds make of it. */
export interface SummaryBand {
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Tokens of the smallest and the largest summary; the size in force twice where that does not vary. */
  readonly summaryTokens: readonly [low: number, high: number];
  /** Every setting that varies, by its key, and between what. */
  readonly settings: Readonly<Record<string, readonly [low: number, high: number]>>;
}

/**
 * How far the context depends on sizes that are only known as a range: replays with the least and the greatest of all of them, which are
 * the summaries that the session records and what an agent attaches again beside them. As a policy fires on the simulated state, a
 * smaller summary may also mean a later compaction and a larger context there: at every request the band holds all three replays.
 * Absent where nothing was simulated or summarised, where no size has been observed to differ, and where sizes were chosen.
 * Source: docs/method.md, "Simulating", summary size. Costs two replays.
 * @param run the replay with the sizes in force
 */
export function summaryBand(
  prepared: PreparedPolicy,
  run: Replay,
  counting: CountingMode,
  recording: Recording,
): SummaryBand | undefined {
  const ranges = prepared.policy.summarises === false ? [] : observedRanges(prepared);
  if (ranges.length === 0 || !run.compactions.some(({ summaryTokens }) => summaryTokens > 0)) return undefined;
  const others = [0, 1].map((end) => {
    const settings = {
      ...prepared.settings,
      ...Object.fromEntries(ranges.map(([key, range]) => [key, range[end] ?? 0])),
    };
    return replayPrepared({ ...prepared, settings }, counting, recording).context;
  });
  const settings = Object.fromEntries(ranges);
  const inForce = numberSetting(prepared.settings, "summaryTokens");
  const summaryTokens = settings.summaryTokens ?? ([inForce, inForce] as const);
  return { ...extremes([run.context, ...others]), summaryTokens, settings };
}

/** The least and the greatest of several series at every point. */
function extremes(series: readonly Int32Array[]): Pick<SummaryBand, "low" | "high"> {
  const [low, high] = [Int32Array.from(series[0] ?? []), Int32Array.from(series[0] ?? [])];
  for (const values of series) {
    for (let point = 0; point < low.length; point++) {
      const value = values[point] ?? 0;
      if (value < (low[point] ?? 0)) low[point] = value;
      if (value > (high[point] ?? 0)) high[point] = value;
    }
  }
  return { low, high };
}

/** The band in the shape of the contract. */
export function toBand(band: SummaryBand | undefined): ReplayResult["band"] {
  if (band === undefined) return null;
  const pair = ([low, high]: readonly [number, number]): [number, number] => [low, high];
  return {
    summaryTokens: pair(band.summaryTokens),
    settings: Object.fromEntries(Object.entries(band.settings).map(([key, range]) => [key, pair(range)])),
    low: Array.from(band.low),
    high: Array.from(band.high),
  };
}

type Range = readonly [key: string, observed: readonly [low: number, high: number]];

/** Sizes that were observed to differ, where the setting has an effect and stands at its default. */
function observedRanges({ specs, settings }: Pick<PreparedPolicy, "specs" | "settings">): readonly Range[] {
  return specs.flatMap((spec): Range[] => {
    if (spec.type !== "number" || spec.observed === undefined || spec.unit !== "tokens") return [];
    const [low, high] = spec.observed;
    const isOpen = settings[spec.key] === spec.default && isInEffect(spec, settings) && low < high;
    return isOpen ? [[spec.key, spec.observed]] : [];
  });
}
