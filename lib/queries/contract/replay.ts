import { z } from "zod";
import { SCHEDULES } from "@/lib/core/compaction/policies/scheduled";
import { type AnsweredMetrics, type AnswerPlace, isNullable, metricsAnswered } from "@/lib/core/metrics/answered";
import type { MetricUnit } from "@/lib/core/metrics/metric";
import { SPENT } from "@/lib/core/metrics/registry";
import { calibration, contextWindow, tokens } from "./basics";
import { costChoice, costTerms, simulatedCostUsd, unpricedModels } from "./cost";

/** The type of a figure on the wire, by its unit. */
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

/** The fields of the registered figures that an answer holds in one place. */
function metricShape<Place extends AnswerPlace>(place: Place): MetricShape<Place> {
  const fields = metricsAnswered(place).map((figure): [string, z.ZodType] => {
    const value = UNITS[figure.unit];
    return [figure.key, isNullable(figure) ? value.nullable() : value];
  });
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(fields) as MetricShape<Place>;
}

/** What one can ask about a session: a replay, a comparison, a sweep. */

export const settingValue = z.union([z.number(), z.boolean(), z.string(), z.null()], {
  error: "must be a number, true, false, null or a text",
});
export const countingMode = z.enum(["estimate", "calibrated", "anchored"]);

/**
 * What figures rest on. `recorded`: every request that has usage is counted by it. `calibrated`: from where the replay departs from the recording,
 * the fitted factor scales the estimate to the usage. `estimate`: nothing does, or there is no usage.
 */
export const basis = z.enum(["recorded", "calibrated", "estimate"]);

/** An unknown field is refused: a misspelt one would be ignored, and another question answered. */
export const replayRequest = z.strictObject({
  policy: z.string(),
  preset: z.string().optional().describe("without one the first of the policy's presets, whoever wrote the recording"),
  settings: z.record(z.string(), settingValue).optional(),
  estimator: z.string().optional(),
  window: z.int().positive().optional(),
  counting: countingMode
    .optional()
    .describe(
      "without one anchored where the recording has usage, else calibrated where it can be fitted, else estimate",
    ),
  ...costChoice,
});

export const simulatedCompaction = z.object({
  request: z.int(),
  /** `unknown` for a recorded one (policy `recorded`) whose record does not say. */
  trigger: z.enum(["threshold", "overflow", "manual", "unknown"]),
  outcome: z.enum(["summary", "fallback", "trim", "clear", "failed", "blocked", "skipped"]),
  tokensBefore: tokens,
  tokensAfter: tokens,
  /**
   * The context before it by the count that gives `tokensAfter`. It differs from `tokensBefore` where an anchored replay departs from the recorded
   * usage; this one tells by how much the compaction changed the context.
   */
  tokensBeforeCounted: tokens,
  summaryTokens: tokens,
  /** Tokens sent to make the summary, over all calls for it. */
  summaryCallTokens: tokens,
  /** Tokens of the context after it that are neither the beginning of what was sent before nor new; as `tokensRewritten` of the totals. */
  tokensRewritten: tokens,
  keptItems: z.int(),
  droppedItems: z.int(),
  clearedItems: z.int(),
  truncatedItems: z.int(),
  files: z.array(z.string()),
  /** Whether its sizes held for this request alone: the next one sent the items as they were. */
  transient: z.boolean(),
  neededAgain: z.int().nullable(),
  thrash: z.boolean(),
  shrunk: z.boolean(),
});

/** The figures of a replay (docs/method.md, "The figures of a replay"), as far as they are sums over it. */
export const replayTotals = z.object({
  ...metricShape("totals"),
  /** What it would have cost by list prices; `null` where that is not known. */
  costUsd: simulatedCostUsd.nullable(),
  unpricedModels,
});

export const replayResult = z.object({
  policy: z.string(),
  preset: z.string(),
  settings: z.record(z.string(), settingValue),
  estimator: z.string(),
  window: contextWindow,
  /** Size at which the policy fires; null for policies without one. */
  thresholdTokens: tokens.nullable(),
  /** The mode in force, even if none was asked for. */
  counting: countingMode,
  basis,
  /** What `tokensRewritten` is computed from: the contexts of neighbouring requests, or what the recording says was read from a cache. */
  rewrittenBy: z.enum(["contexts", "reads"]),
  calibration: calibration.nullable(),
  series: z.object({
    request: z.array(z.int()),
    contextTokens: z.array(tokens),
    byCategory: z.record(z.string(), z.array(tokens)),
  }),
  /**
   * The range of the context at every request, from the smallest to the largest summary of the session; null where the size of the summaries was
   * chosen, where the session records no two summaries of different sizes, and where nothing was summarised.
   */
  band: z
    .object({
      summaryTokens: z.tuple([tokens, tokens]),
      /** The range of every setting that varies, by key. */
      settings: z.record(z.string(), z.tuple([tokens, tokens])),
      low: z.array(tokens),
      high: z.array(tokens),
    })
    .nullable(),
  compactions: z.array(simulatedCompaction),
  /** The requests that the agent refuses to send, without a compaction: its guard blocks the window, or the prompt does not fit. */
  refused: z.array(z.int()),
  totals: replayTotals,
  /** How `totals.costUsd` is reckoned. */
  costTerms,
});

/** The fewest and the most runs of a comparison. */
export const COMPARED_RUNS = { least: 2, most: 6 } as const;

/** When a run compacts. */
const runSchedule = z.enum(SCHEDULES);

/** A run of a comparison. */
export const compareRun = replayRequest.extend({
  schedule: runSchedule.optional().describe("`best` for a policy that has no best schedule is refused"),
});

export const compareRequest = z.strictObject({
  runs: z.array(compareRun).min(COMPARED_RUNS.least).max(COMPARED_RUNS.most),
});

/** A replay among others: its figures, without the context at every request. */
export const comparedRun = replayResult.omit({ series: true, band: true }).extend({ schedule: runSchedule });

/** One figure of every run. */
export const difference = z.object({
  metric: z.string(),
  /** Null where a run does not have this figure, and where it stands apart: its own figure is in its `totals`. */
  values: z.array(z.number().nullable()),
  /**
   * The first run with the best value; null where no run has this figure, where neither end is better, or where the only run that has it is compared
   * with nothing.
   */
  best: z.int().nullable(),
  /** Runs whose figure rests on another basis than that of the others, so that it is not compared with theirs. */
  apart: z.array(z.int()),
});

/** What a comparison has to say about itself, with the runs that it is about, and a sentence. */
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

/** A setting that is varied; the range includes both ends. */
export const varyRange = z.strictObject({
  key: z.string(),
  from: z.number(),
  to: z.number(),
  step: z.number().positive(),
});

export const sweepRequest = replayRequest.extend({
  /** Ids of the sessions. */
  sessions: z.array(z.string()).min(1).max(2_000),
  vary: z.array(varyRange).min(1).max(2),
  /** What is spent for what is kept, for the Pareto front. */
  spent: z.enum(SPENT).optional(),
  /** Whether the rows have their regret, which takes longer than all other figures. */
  regret: z.boolean().optional(),
});

/** One point of a sweep over one recording. */
export const sweepRow = z.object({
  file: z.string(),
  /** The varied settings at this point. */
  set: z.record(z.string(), z.number()),
  totals: replayTotals,
  counting: countingMode,
  /** What its figures rest on. Compare rows with different bases with care, and rows of `estimate` with no others. */
  basis,
  calibration: calibration.nullable(),
  ...metricShape("row"),
  /** Whether no other point of this recording spends as little and keeps as much, and is better in one of the two. */
  pareto: z.boolean(),
});

/** The events of the answer to `POST /api/sweeps`, as they come. */
export const sweepEvent = z.discriminatedUnion("type", [
  /** How many replays are done, of all that there will be as far as is known. */
  z.object({ type: z.literal("progress"), done: z.int(), total: z.int() }),
  /** All rows of one session. Sessions come in the order in which they were given. */
  z.object({ type: z.literal("rows"), session: z.string(), rows: z.array(sweepRow) }),
  /** A session that could not be swept, and why. */
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
