import type { ReplayResult } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import type { SettingSpec } from "@/lib/core/compaction/settings";
import { replayPrepared } from "./replay-result";
import type { PreparedPolicy, SessionFacts } from "./session-context";

/** The context at every request between what the smallest and the largest summary of the session make of it. */
export interface SummaryBand {
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Tokens of those two summaries. */
  readonly summaryTokens: readonly [low: number, high: number];
}

/**
 * How far the context depends on the size of the summaries: replays with the smallest and the largest one that the session
 * records. As a policy fires on the simulated state, a smaller summary may also mean a later compaction and a larger context
 * there: at every request the band holds all three replays. Absent where nothing was simulated or summarised, where the session does not
 * record summaries of different sizes, and where the size is not the recorded mean but chosen.
 * Source: docs/method.md, "Simulating", summary size. Costs two replays.
 * @param run the replay with the mean size
 */
export function summaryBand(
  prepared: PreparedPolicy,
  run: Replay,
  counting: CountingMode,
  session: Pick<SessionFacts, "agent">,
  columns: SessionColumns,
  tokens: Int32Array,
): SummaryBand | undefined {
  const observed = prepared.policy.summarises === false ? undefined : observedSizes(prepared);
  if (observed === undefined || !run.compactions.some(({ summaryTokens }) => summaryTokens > 0)) return undefined;
  const others = observed.map((summaryTokens) => {
    const settings = { ...prepared.settings, summaryTokens };
    return replayPrepared({ ...prepared, settings }, counting, session, columns, tokens).context;
  });
  return { ...extremes([run.context, ...others]), summaryTokens: observed };
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
  const [low, high] = band.summaryTokens;
  return { summaryTokens: [low, high], low: Array.from(band.low), high: Array.from(band.high) };
}

type NumberSpec = Extract<SettingSpec, { type: "number" }>;

/** The smallest and the largest recorded summary, where they differ and the size in force is their mean. */
function observedSizes({
  specs,
  settings,
}: Pick<PreparedPolicy, "specs" | "settings">): SummaryBand["summaryTokens"] | undefined {
  const spec = specs.find((one): one is NumberSpec => one.key === "summaryTokens" && one.type === "number");
  if (spec?.observed === undefined || settings.summaryTokens !== spec.default) return undefined;
  const [low, high] = spec.observed;
  return low < high ? [low, high] : undefined;
}
