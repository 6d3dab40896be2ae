import { MESSAGE_PARTS, OVERHEAD_CATEGORIES, OVERHEAD_COUNT } from "@/lib/core/base/categories";
import { allSteps, type Steps } from "@/lib/core/base/steps";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { CountedColumns } from "@/lib/core/columns/counted";
import { basisOf, defaultCounting } from "@/lib/core/compaction/counting";
import { isRecordedPolicy, recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { isUncachedByReads } from "@/lib/core/compaction/policies/recorded-uncached";
import { isPauseKey, isSharedKey } from "@/lib/core/compaction/policy/pause-settings";
import { fileLabel } from "@/lib/core/compaction/policy/policy";
import { isInEffect, type SettingSpec, type SettingValue } from "@/lib/core/compaction/policy/settings";
import { type Replay, replaySteps } from "@/lib/core/compaction/replay";
import {
  comparableBefore,
  isRefusal,
  type SimulatedCompaction,
  withoutRefusals,
} from "@/lib/core/compaction/simulation/simulated-compaction";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import type { Recording } from "@/lib/core/context/recording";
import { windowToExceed, windowToFill } from "@/lib/core/context/window";
import { answeredMetrics } from "@/lib/core/metrics/answered";
import type { MetricInput } from "@/lib/core/metrics/metric";
import { type Metrics, metricsOf } from "@/lib/core/metrics/values";
import { type Refetched, refetchedOf } from "@/lib/core/refetch/metrics";
import type {
  ComparedRun,
  CountingMode,
  ReplayRequest,
  ReplayResult,
  SimulatedCompactionWire,
  SimulatedCostUsd,
} from "@/lib/queries/contract/types";
import type { ReplayCosts } from "../cost/simulated-cost";
import { toCalibration } from "../session/calibration";
import { asSent, chosenOf, type PreparedPolicy, preparePolicy } from "../session/session-context";

/** A requested replay: policy and inputs. */
export interface RanReplay {
  readonly prepared: PreparedPolicy;
  readonly replay: Replay;
  /** The mode in force: the requested one, else the session's own. */
  readonly counting: CountingMode;
  readonly recording: Recording;
}

/**
 * Runs a policy over a session. Throws `ChoiceError` and `SettingError`.
 * @param recording counted by the request's estimator
 * @param costs at the request's prices
 */
export function runReplay(request: ReplayRequest, recording: Recording, costs?: ReplayCosts): RanReplay {
  const prepared = preparePolicy(request, recording, costs);
  const counting = countingInForce(request, recording);
  const run = replayPrepared(prepared, counting, recording);
  return { prepared, replay: splitOverhead(run, recording.overhead), counting, recording };
}

/** The counting mode of a replay: the requested one, else the session's own. The recording itself always has the session's own. */
export function countingInForce(
  { policy, counting }: Pick<ReplayRequest, "policy" | "counting">,
  recording: CountedColumns,
): CountingMode {
  return (policy === "recorded" ? undefined : counting) ?? defaultCounting(recording);
}

/** The parts of a prepared policy that a replay needs. */
type Replayed = Pick<PreparedPolicy, "policy" | "preset" | "settings" | "window">;

export function replayPrepared(prepared: Replayed, counting: CountingMode, recording: Recording): Replay {
  return allSteps(replayPreparedSteps(prepared, counting, recording));
}

/** Replays with a prepared policy in steps. The page and the command line both call this function. */
export function* replayPreparedSteps(
  { policy, preset, settings, window }: Replayed,
  counting: CountingMode,
  recording: Recording,
): Steps<Replay> {
  if (isRecordedPolicy(policy)) return recordedReplay(asSent(recording), windowToExceed(window));
  const own = policy.id === recording.facts.agent;
  const waits = recording.facts.links?.agentId == null;
  return yield* replaySteps(recording, policy, settings, { preset, window: window.tokens, counting, own, waits });
}

/** A replay in the contract's format. @param band of the size of its summaries */
export function toReplayResult(
  ran: RanReplay,
  estimator: string,
  costs: ReplayCosts,
  band: ReplayResult["band"] = null,
): ReplayResult {
  const { replay: run } = ran;
  return {
    ...toComparedRun(ran, estimator, costs),
    series: {
      request: Array.from(run.context, (_, point) => point),
      contextTokens: Array.from(run.context),
      byCategory: categorySeries(run),
    },
    band,
  };
}

/** A replay in the contract's format, without the context at every request. */
export function toComparedRun(
  ran: RanReplay,
  estimator: string,
  costs: ReplayCosts,
  input: CostedInput = metricInput(ran, costs, { regret: true }),
): Omit<ComparedRun, "schedule"> {
  const { prepared, replay: run, counting, recording } = ran;
  const { columns } = recording;
  const isRecording = isRecordedPolicy(prepared.policy);
  const { refetched, cost } = input;
  return {
    policy: prepared.policy.id,
    preset: prepared.preset,
    settings: settingsInForce(prepared),
    estimator,
    window: prepared.window,
    thresholdTokens: prepared.policy.threshold?.(chosenOf(prepared)) ?? null,
    counting,
    basis: basisOf(run, columns),
    rewrittenBy: isRecording && isUncachedByReads(columns) ? "reads" : "contexts",
    calibration: toCalibration(run.calibration),
    compactions: withoutRefusals(run.compactions).map((compaction) => compactionWire(compaction, columns, refetched)),
    refused: run.compactions.filter(isRefusal).map(({ request }) => request),
    totals: toTotals(metricsOf(input), cost, costs.unpriced),
    costTerms: costs.terms,
  };
}

/** Inputs of a replay's metrics, with the parts of its cost. */
interface CostedInput extends MetricInput {
  readonly cost: SimulatedCostUsd | null;
}

/** Inputs of a replay's metrics. @param options `regret`: true to compute it, which takes longer than everything else */
export function metricInput(
  { prepared, replay: run, counting, recording }: RanReplay,
  costs: ReplayCosts,
  options: { readonly regret: boolean },
): CostedInput {
  const isRecording = isRecordedPolicy(prepared.policy);
  const cost = costs.of(prepared, run);
  return {
    replay: run,
    window: windowToFill(prepared.window),
    isRecording,
    cost,
    refetched: refetchedOf(recording.columns, run, isRecording),
    ...(options.regret
      ? costs.regretAndBest({ prepared, counting, recording }, cost)
      : { regret: null, bestUsd: null }),
  };
}

/** Totals in the contract's format. */
export function toTotals(
  metrics: Metrics,
  costUsd: SimulatedCostUsd | null,
  unpriced: ReplayCosts["unpriced"] = {},
): ReplayResult["totals"] {
  return { ...answeredMetrics("totals", metrics), costUsd, ...unpriced };
}

/** The policy's settings, the changed ones about inputs, and those about pauses that are changed or act. */
export function settingsInForce({ specs, settings }: PreparedPolicy): ReplayResult["settings"] {
  const isChanged = ({ key, default: byDefault }: SettingSpec) => settings[key] !== byDefault;
  const acts = (spec: SettingSpec) => isPauseKey(spec.key) && settings[spec.key] !== 0 && isInEffect(spec, settings);
  const shown = specs.filter((spec) => !isSharedKey(spec.key) || isChanged(spec) || acts(spec));
  return Object.fromEntries(shown.map((spec) => [spec.key, wireValue(spec, settings[spec.key] ?? null)]));
}

/** A setting that is a choice or a count: counts are numbers again, as given. */
function wireValue(spec: SettingSpec, value: SettingValue): SettingValue {
  return spec.type === "choice" && spec.orCount && Number(value) > 0 ? Number(value) : value;
}

/** Series by the breakdown's ids. Series of zeros are omitted, except `messages`. */
function categorySeries(run: Replay): Record<string, number[]> {
  const overhead = OVERHEAD_CATEGORIES.map((id, code) => [id, Array.from(run.byCategory[code] ?? [])] as const);
  const messages = Array.from(run.context, (_, point) =>
    MESSAGE_PARTS.reduce((sum, _part, index) => sum + (run.byCategory[OVERHEAD_COUNT + index]?.[point] ?? 0), 0),
  );
  const unattributed = ["unattributed", Array.from(run.unattributed)] as const;
  const present = [...overhead, unattributed].filter(([, values]) => values.some((value) => value > 0));
  return Object.fromEntries([...present, ["messages", messages]]);
}

/** A compaction in the contract's format. */
export function compactionWire(
  compaction: SimulatedCompaction,
  columns: SessionColumns,
  refetched: Refetched | undefined,
): SimulatedCompactionWire {
  return {
    request: compaction.request,
    trigger: compaction.trigger,
    outcome: compaction.outcome,
    tokensBefore: compaction.tokensBefore,
    tokensAfter: compaction.tokensAfter,
    tokensBeforeCounted: comparableBefore(compaction),
    summaryTokens: compaction.summaryTokens,
    summaryCallTokens: compaction.summaryCallTokens,
    tokensRewritten: compaction.uncached,
    keptItems: compaction.keptItems,
    droppedItems: compaction.droppedItems,
    clearedItems: compaction.cleared.length,
    truncatedItems: compaction.truncated.length,
    files: filesOf(compaction, columns),
    transient: compaction.transient === true,
    neededAgain: refetched === undefined ? null : (refetched.byRequest.get(compaction.request) ?? 0),
    thrash: compaction.thrash,
    shrunk: compaction.shrunk,
  };
}

/** Files that the compaction carried over: files of kept items, and re-attached files. */
function filesOf(compaction: SimulatedCompaction, columns: SessionColumns): string[] {
  const kept = compaction.kept.map((item) => columns.file[item] ?? -1).filter((file) => file >= 0);
  const names = kept.flatMap((file) => columns.tables.files[file] ?? []);
  return [...new Set([...names, ...compaction.added.flatMap((item) => (item.files ?? []).map(fileLabel))])];
}
