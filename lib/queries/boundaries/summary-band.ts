import { isInEffect, numberSetting } from "@/lib/core/compaction/policy/settings";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import type { Recording } from "@/lib/core/context/recording";
import type { ReplayResult } from "@/lib/queries/contract/types";
import { replayPrepared } from "../replays/replay-result";
import type { PreparedPolicy } from "../session/session-context";

/** The range of the context at every request, from the smallest to the largest observed sizes of content that a compaction adds. */
export interface SummaryBand {
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Tokens of the smallest and the largest summary; if that does not vary, the size in force twice. */
  readonly summaryTokens: readonly [low: number, high: number];
  /** The range of every varying setting, by key. */
  readonly settings: Readonly<Record<string, readonly [low: number, high: number]>>;
}

/**
 * The range of the context for sizes with a known range only: recorded summaries, and content that an agent re-attaches. The band comes from
 * replays with the smallest and with the largest of these sizes. A smaller summary may also mean a later compaction, and so a larger context at some
 * requests: the band contains all three replays at every request. Absent without a simulated summary, without differing observed sizes, and for
 * chosen sizes. Source: docs/method.md, "Simulating", summary size. Costs two replays.
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

/** The smallest and the largest of several series at every point. */
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

/** The band in the contract's format. */
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

/** Settings with different observed sizes that have an effect and are at their default. */
function observedRanges({ specs, settings }: Pick<PreparedPolicy, "specs" | "settings">): readonly Range[] {
  return specs.flatMap((spec): Range[] => {
    if (spec.type !== "number" || spec.observed === undefined || spec.unit !== "tokens") return [];
    const [low, high] = spec.observed;
    const isOpen = settings[spec.key] === spec.default && isInEffect(spec, settings) && low < high;
    return isOpen ? [[spec.key, spec.observed]] : [];
  });
}
