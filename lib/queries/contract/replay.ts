import { z } from "zod";
import { SCHEDULES } from "@/lib/core/compaction/policies/scheduled";
import { type AnsweredMetrics, type AnswerPlace, isNullable, metricsAnswered } from "@/lib/core/metrics/answered";
import type { MetricUnit } from "@/lib/core/metrics/metric";
import { SPENT } from "@/lib/core/metrics/registry";
import { calibration, contextWindow, tokens } from "./basics";
import { costChoice, costTerms, simulatedCostUsd, unpricedModels } from "./cost";

/** The wire type of a metric, by its unit. */
const UNITS = {
  tokens,
  requests: z.int(),
  count: z.int(),
  share: z.number(),
  dollars: z.number(),
} as const satisfies Record<MetricUnit, z.ZodType<number>>;

type MetricShape<Place extends AnswerPlace> = {
  [Key in keyof AnsweredMetrics<Place>]: z.ZodType<AnsweredMetrics<Place>[Key]>;
};

/** The fields of the registered metrics in one part of an answer. */
function metricShape<Place extends AnswerPlace>(place: Place): MetricShape<Place> {
  const fields = metricsAnswered(place).map((metric): [string, z.ZodType] => {
    const value = UNITS[metric.unit];
    return [metric.key, isNullable(metric) ? value.nullable() : value];
  });
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(fields) as MetricShape<Place>;
}

export const settingValue = z.union([z.number(), z.boolean(), z.string(), z.null()], {
  error: "must be a number, true, false, null or a text",
});
export const countingMode = z.enum(["estimate", "calibrated", "anchored"]);

/**
 * Basis of metrics. `recorded`: every request that has usage is counted by it. `calibrated`: from the request where the replay departs from the
 * recording, the fitted factor scales the estimate to the usage. `estimate`: plain estimates, or there is no usage.
 */
export const basis = z.enum(["recorded", "calibrated", "estimate"]);

/** Unknown fields are rejected: ignoring a misspelt one would answer another query. */
export const replayRequest = z.strictObject({
  policy: z.string(),
  preset: z
    .string()
    .optional()
    .describe("by default the first of the policy's presets, whatever the recording's version"),
  settings: z.record(z.string(), settingValue).optional(),
  estimator: z.string().optional(),
  window: z.int().positive().optional(),
  counting: countingMode
    .optional()
    .describe(
      "by default anchored if the recording has usage, else calibrated if the estimate can be fitted, else estimate",
    ),
  ...costChoice,
});

export const simulatedCompaction = z.object({
  request: z.int(),
  /** `unknown` for a recorded one (policy `recorded`) whose record does not state it. */
  trigger: z.enum(["threshold", "overflow", "manual", "unknown", "idle"]),
  outcome: z.enum(["summary", "fallback", "trim", "clear", "failed", "blocked", "skipped"]),
  tokensBefore: tokens,
  tokensAfter: tokens,
  /**
   * The context before it by the count that gives `tokensAfter`. It differs from `tokensBefore` if an anchored replay departs from the recorded
   * usage; the effect of the compaction is the difference to this one.
   */
  tokensBeforeCounted: tokens,
  summaryTokens: tokens,
  /** Tokens sent to make the summary, over all calls for it. */
  summaryCallTokens: tokens,
  /** Uncached tokens of the context after it, without new content; as `tokensRewritten` of the totals. */
  tokensRewritten: tokens,
  keptItems: z.int(),
  droppedItems: z.int(),
  clearedItems: z.int(),
  truncatedItems: z.int(),
  files: z.array(z.string()),
  /** True if its sizes held for this request only: the next one sent the items unchanged. */
  transient: z.boolean(),
  neededAgain: z.int().nullable(),
  thrash: z.boolean(),
  shrunk: z.boolean(),
});

/** The metrics of a replay (docs/method.md, "The metrics of a replay") that are sums over it. */
export const replayTotals = z.object({
  ...metricShape("totals"),
  /** The cost at list prices; `null` if unknown. */
  costUsd: simulatedCostUsd.nullable(),
  unpricedModels,
});

export const replayResult = z.object({
  policy: z.string(),
  preset: z.string(),
  settings: z.record(z.string(), settingValue),
  estimator: z.string(),
  window: contextWindow,
  /** The policy's trigger size; null for policies without one. */
  thresholdTokens: tokens.nullable(),
  /** The mode in force, even if none was requested. */
  counting: countingMode,
  basis,
  /** Source of `tokensRewritten`: the contexts of neighbouring requests, or the recorded cache reads. */
  rewrittenBy: z.enum(["contexts", "reads"]),
  calibration: calibration.nullable(),
  series: z.object({
    request: z.array(z.int()),
    contextTokens: z.array(tokens),
    byCategory: z.record(z.string(), z.array(tokens)),
  }),
  /**
   * The range of the context at every request, from the smallest to the largest summary of the session; null for a chosen summary size, if the
   * session records no two summaries of different sizes, and without a summary.
   */
  band: z
    .object({
      summaryTokens: z.tuple([tokens, tokens]),
      /** The range of every varying setting, by key. */
      settings: z.record(z.string(), z.tuple([tokens, tokens])),
      low: z.array(tokens),
      high: z.array(tokens),
    })
    .nullable(),
  compactions: z.array(simulatedCompaction),
  /** The requests that the agent refuses to send, without a compaction: its guard blocks the window, or the prompt does not fit. */
  refused: z.array(z.int()),
  totals: replayTotals,
  /** Pricing terms of `totals.costUsd`. */
  costTerms,
});

/** Minimum and maximum runs of a comparison. */
export const COMPARED_RUNS = { least: 2, most: 6 } as const;

/** The compaction schedule of a run. */
const runSchedule = z.enum(SCHEDULES);

export const compareRun = replayRequest.extend({
  schedule: runSchedule.optional().describe("`best` is rejected for a policy without a hindsight optimum"),
});

export const compareRequest = z.strictObject({
  runs: z.array(compareRun).min(COMPARED_RUNS.least).max(COMPARED_RUNS.most),
});

/** A replay among others: its metrics, without the context at every request. */
export const comparedRun = replayResult.omit({ series: true, band: true }).extend({ schedule: runSchedule });

/** One metric of every run. */
export const difference = z.object({
  metric: z.string(),
  /** Null if a run lacks this metric, or is not comparable: its own value is in its `totals`. */
  values: z.array(z.number().nullable()),
  /** The first run with the best value; null if no run has this metric, if neither end is better, or if only one run has it. */
  best: z.int().nullable(),
  /** Runs whose metric has another basis, so that it is not compared with the others. */
  apart: z.array(z.int()),
});

/** A remark on a comparison, with its runs and a sentence. */
export const comparisonRemark = z.object({
  id: z.enum(["noDifference", "usageApart", "estimateApart", "rewrittenApart", "doubtfulCalibration", "hindsight"]),
  runs: z.array(z.int()),
  text: z.string(),
});

/** `POST /api/sessions/:id/compare`. The command line prints one line per run, then difference and remarks as an object. */
export const compareAnswer = z.object({
  runs: z.array(comparedRun),
  difference: z.array(difference),
  remarks: z.array(comparisonRemark),
});

/** A varied setting; the range includes both ends. */
export const varyRange = z.strictObject({
  key: z.string(),
  from: z.number(),
  to: z.number(),
  step: z.number().positive(),
});

export const sweepRequest = replayRequest.extend({
  sessions: z.array(z.string()).min(1).max(2_000),
  vary: z.array(varyRange).min(1).max(2),
  /** The amount spent on the Pareto front. */
  spent: z.enum(SPENT).optional(),
  /** True if the rows have their regret, which takes longer than all other metrics. */
  regret: z.boolean().optional(),
});

/** One point of a sweep over one recording. */
export const sweepRow = z.object({
  file: z.string(),
  /** The varied settings at this point. */
  set: z.record(z.string(), z.number()),
  totals: replayTotals,
  counting: countingMode,
  /** Basis of its metrics. Rows with different bases are comparable with care; rows of `estimate` only with each other. */
  basis,
  calibration: calibration.nullable(),
  ...metricShape("row"),
  /** True if no other point of this recording spends as little and keeps as much, and is better in one of the two. */
  pareto: z.boolean(),
});

/** The events of the answer to `POST /api/sweeps`, as they come. */
export const sweepEvent = z.discriminatedUnion("type", [
  /** Finished replays, and the total as far as known. */
  z.object({ type: z.literal("progress"), done: z.int(), total: z.int() }),
  /** All rows of one session. Sessions come in the requested order. */
  z.object({ type: z.literal("rows"), session: z.string(), rows: z.array(sweepRow) }),
  /** A session that could not be swept, and the reason. */
  z.object({ type: z.literal("failed"), session: z.string(), detail: z.string() }),
  z.object({ type: z.literal("end") }),
]);

export type CountingMode = z.infer<typeof countingMode>;
export type BasisWire = z.infer<typeof basis>;
export type ReplayRequest = z.infer<typeof replayRequest>;
export type SimulatedCompactionWire = z.infer<typeof simulatedCompaction>;
export type ReplayResult = z.infer<typeof replayResult>;
export type CompareRun = z.infer<typeof compareRun>;
export type CompareRequest = z.infer<typeof compareRequest>;
export type ComparedRun = z.infer<typeof comparedRun>;
export type ComparisonRemark = z.infer<typeof comparisonRemark>;
export type CompareAnswer = z.infer<typeof compareAnswer>;
export type SweepRequest = z.infer<typeof sweepRequest>;
export type SweepRow = z.infer<typeof sweepRow>;
export type SweepEvent = z.infer<typeof sweepEvent>;

/** A user's policy, with its file's text, which is not executed. */
export const ownPolicySource = z.object({ id: z.string(), file: z.string(), text: z.string() });

/** `GET /api/policies`: the user's own policies. */
export const ownPoliciesAnswer = z.object({ policies: z.array(ownPolicySource) });

export type OwnPoliciesAnswer = z.infer<typeof ownPoliciesAnswer>;
