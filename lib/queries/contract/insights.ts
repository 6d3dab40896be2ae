import { z } from "zod";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { FACETS } from "@/lib/core/base/facet-keys";
import { tokens } from "./basics";
import { actedPauses, unpricedModels } from "./cost";
import { missSums, sessionSums } from "./facets";
import { replayRequest, varyRange } from "./replay";

/** Queries over selected sessions: recommended settings, and a comparison of policies. */

/** Maximum sessions per query; if there are more, the ones that ended last are used. */
export const MAX_ASKED = 2000;

/** Selected sessions: matching ones of the list, or some by id. */
const selection = {
  q: z.string().max(200).optional(),
  where: z.array(z.string().max(1200)).max(200).default([]),
  tz: z.string().max(64).optional().describe("the time zone of days in conditions; by default the server's"),
  sessions: z
    .array(z.string())
    .max(MAX_ASKED)
    .optional()
    .describe("the selected sessions; by default all that match q and where"),
  seed: z.int().min(0).default(1).describe("seed of the random halves and of the resampled sessions"),
};

export const adviceRequest = replayRequest.extend({
  ...selection,
  vary: z.array(varyRange).min(1).max(2),
  by: z.enum(ADVISED_BY).default("cost").describe("the metric to minimise"),
});

/** A policy among others. */
const policyRun = replayRequest.pick({ policy: true, preset: true, settings: true });

export const policiesRequest = z.strictObject({
  ...selection,
  runs: z.array(policyRun).min(2).max(64).describe("the others are compared with the first"),
});

/** The sessions used. */
export const askedSessions = z.object({
  /** Number of matching sessions; larger than the number used if there are too many. */
  matched: z.int(),
  ids: z.array(z.string()).readonly(),
  /** Digest of the files and their versions. */
  digest: z.string(),
  /** Files of the list that are not read because the user stopped indexing: some of them may match. */
  unread: z.int(),
});

const set = z.record(z.string(), z.number()).readonly();
const missing = z.enum(["sessions", "interval", "size"]);
/** As a share of the current cost, with its 95 % interval. */
const saving = z.object({ estimate: z.number(), low: z.number(), high: z.number() });
/** Coverage of an assumption: numbers of sessions with the metric, without it, and skipped because their own models have the same cache prices. */
const coverage = { under: z.string(), sessions: z.int(), unknown: z.int(), alike: z.int() };
const advice = z.object({ ...coverage, set, saving, missing: z.array(missing).readonly() });

/** docs/method.md, "The recommendation". */
export const recommendation = z.object({
  by: z.enum(ADVISED_BY),
  seed: z.int(),
  sessions: z.int(),
  projects: z.int(),
  /** Numbers of sessions that reach a trigger, and of the other sessions. */
  crossing: z.int(),
  unaffected: z.array(z.string()).readonly(),
  current: z.number(),
  settings: z.array(z.object({ set, total: z.number(), saving: z.number() })).readonly(),
  isEvidence: z.boolean(),
  advice,
  /** Number of sessions that thrash under that setting. */
  thrashing: z.int(),
  worst: advice,
  turns: z.array(advice).readonly(),
  /** Assumptions under which no session has the metric. */
  unknown: z.array(z.object(coverage)).readonly(),
  /** Settings within 1 % of the best one. */
  flat: z.array(set).readonly(),
  /** Number of sessions whose cost is a lower bound; then all sums that include it are lower bounds too. 0 unless the metric is the cost. */
  lowerBounds: z.int(),
  because: z.object({ read: z.number(), anew: z.number(), output: z.number(), summaryCalls: z.number() }).nullable(),
  /** Actions of the best setting in pauses, over all sessions; `null` if it never acts there. */
  pauses: actedPauses.nullable(),
  whatIf: z
    .object({
      beforeBreaks: z.object({ sessions: z.int(), pauses: z.int(), savedUsd: z.number() }),
      lifetimes: z.object({ sessions: z.int(), shortUsd: z.number(), longUsd: z.number() }),
    })
    .nullable(),
});

const leftOut = z.object({
  session: z.string(),
  why: z.enum(["other-agent", "no-requests", "no-figure", "copy", "unreadable"]),
  unpricedModels,
});

/** A line of `settingToType`. Source: docs/interfaces.md, "Settings". */
const settingLine = z.object({
  key: z.string(),
  /** `null` if this version of the agent has no such setting. */
  text: z.string().nullable(),
  /** Settings file that holds the text; `null` for a command or an environment variable. */
  file: z.string().nullable(),
  source: z.object({ text: z.string(), kind: z.enum(["document", "code", "report", "ours", "own"]) }).nullable(),
  /** Trigger under the setting's nearest value, if it differs from the replayed one; without a text it is the setting's limit. */
  reaches: z.object({ threshold: tokens, asked: tokens }).optional(),
});

/** The setting to type under each window of the sessions; empty without evidence or an agent that takes it. */
export const settingsToType = z.array(z.object({ window: tokens, lines: z.array(settingLine).readonly() })).readonly();

export const adviceAnswer = z.object({
  asked: askedSessions,
  /** `null` if no session qualifies. */
  found: recommendation.nullable(),
  settingToType: settingsToType,
  leftOut: z.array(leftOut).readonly(),
});

/** A metric of a policy over all sessions that have it under every policy. */
const policySum = z.object({
  sessions: z.int(),
  total: z.number(),
  /** Savings against the first policy: an interval from resampled projects and sessions. `null` for the first. */
  saving: saving.nullable(),
});

export const policiesAnswer = z.object({
  asked: askedSessions,
  sessions: z.int(),
  projects: z.int(),
  rows: z
    .array(
      z.object({
        policy: z.string(),
        preset: z.string().nullable(),
        cost: policySum.nullable(),
        tokens: policySum.nullable(),
        neededAgain: policySum.nullable(),
        compactions: z.int(),
        requestsOverWindow: z.int(),
      }),
    )
    .readonly(),
  leftOut: z.array(leftOut).readonly(),
  /** Number of sessions in its sums whose cost is a lower bound; then these sums are lower bounds too. */
  lowerBounds: z.int(),
  /** Sessions without a metric under one of the policies, and so excluded from the sums of that metric. */
  without: z.object({
    cost: z.array(z.string()).readonly(),
    tokens: z.array(z.string()).readonly(),
    neededAgain: z.array(z.string()).readonly(),
  }),
});

/** Cumulative distribution in steps of a hundredth of the sessions, from the smallest value: number of sessions with at most this value. */
const distribution = z.object({
  sessions: z.int(),
  /** Sessions that lack the metric. */
  unknown: z.int(),
  points: z.array(z.tuple([z.number(), z.int()])),
});

/** A share as its part and its whole. */
const share = z.object({ part: z.number(), whole: z.number() }).nullable();

/** Kinds of findings. Source: docs/method.md, "Findings over sessions". */
export const FINDINGS = [
  ...([
    "idle-misses",
    "fetched-files",
    "fetched-commands",
    "unused-tools",
    "unpaid-compactions",
    "read-again",
    "unused-outputs",
    "instructions",
    "images",
    "near-limit",
    "threshold",
  ] as const),
] as const;

/** One finding over matching sessions; absent without evidence. `threshold` names the missing evidence. */
const finding = z.object({
  id: z.enum(FINDINGS),
  /** Its number. Dollars are at list prices; `null` if nothing has a price, and for `threshold`. */
  amount: z.number().nullable(),
  unit: z.enum(["usd", "sessions"]),
  /** True if the amount is a lower bound: some of it has no price. */
  isLeast: z.boolean(),
  /** Sent tokens that it is about; `null` if it is about none. */
  tokens: tokens.nullable(),
  /** Number of pauses, fetches, unused tools, contents, unpaid compactions, or sessions, and the number that could have been among them. */
  count: z.int(),
  outOf: z.int().nullable(),
  confidence: z.enum(["high", "moderate", "low", "none"]),
  /**
   * Reason for the confidence. `recorded`: the provider's numbers. `estimated`: sizes by bytes / 4, scaled to the recorded usage. `unpriced`: a part
   * has no price. `terms`: silence of later texts. `unknown-window`: the window of some sessions is unknown. `few`: a small sample. `few-large`:
   * fewer than 8 sessions are large enough for a threshold. `untested`: at least 8 are, but no replay supports a threshold.
   */
  because: z.enum(["recorded", "estimated", "terms", "unpriced", "unknown-window", "few", "few-large", "untested"]),
  /** Number of sessions that it is about, and of sessions that could show it; for `threshold`, the sessions of its agent. */
  affected: z.int(),
  sessions: z.int(),
  /** The sessions with the largest parts, at most 3. `amount` is in the finding's unit, or a share of the window for `near-limit`. */
  largest: z.array(z.object({ id: z.string(), title: z.string(), amount: z.number().nullable() })).readonly(),
  /** Files, commands or tools with the largest parts, at most 5. */
  names: z.array(z.object({ name: z.string(), count: z.int(), tokens, usd: z.number().nullable() })).readonly(),
  /** The next step: a tab of the first of these sessions, a condition of the list, or the recommendation for a policy. */
  next: z.object({
    kind: z.enum(["tab", "list", "advice"]),
    tab: z.enum(["cost", "contributors", "boundaries"]).nullable(),
    where: z.string().nullable(),
    policy: z.string().nullable(),
  }),
});

/** `GET /api/insights`: findings, sums and distributions over matching sessions, and their reliability. Copies are excluded. */
export const insightsAnswer = z.object({
  by: z.enum(FACETS),
  total: sessionSums,
  breaksByCause: missSums,
  /** Time zone of the days: `tz`, else the server's. */
  timeZone: z.string(),
  /** By value; days newest first, others most frequent first. */
  groups: z.array(
    sessionSums.extend({
      value: z.string().nullable(),
      breaksByCause: missSums,
      /** The largest contexts of these sessions, by percentile; `null` if none is known. */
      peak: z.object({ p50: z.number(), p75: z.number(), p95: z.number() }).nullable(),
    }),
  ),
  /**
   * Over at most 2,000 of these sessions, the ones that ended last. The most expensive findings come first, findings without an amount of money last.
   */
  findings: z.array(finding).readonly(),
  /** Sessions that their agent deletes within a number of days, by agent; the first of them by id, the soonest first. */
  deletedSoon: z.array(
    z.object({
      agent: z.string(),
      /** Days without a change after which the agent deletes a file. */
      days: z.number(),
      within: z.int(),
      sessions: z.int(),
      ids: z.array(z.string()).readonly(),
    }),
  ),
  distributions: z.object({ peak: distribution, cost: distribution, requests: distribution }),
  /** By agent and version, the most frequent first. */
  trust: z.array(
    z.object({
      agent: z.string().nullable(),
      version: z.string().nullable(),
      sessions: z.int(),
      /** The median of the sessions' mean errors of the estimate bytes / 4. */
      estimatorError: z.number().nullable(),
      /** Recorded compactions that the agent's own policy predicts. */
      fidelity: share,
      /** Requests whose cache reads the cache rule predicts within 2 %. */
      cacheRule: share,
      /** Share of the predicted re-fetches (by the rule of simulated boundaries) that happened, and share of the re-fetches that were predicted. */
      predictorPrecision: share,
      predictorRecall: share,
      /** Share of the re-fetched paths that the summary names, and share of its named paths that were used. */
      summaryRecall: share,
      summaryPrecision: share,
      unpriced: z.int(),
      unpricedModels,
      damagedLines: z.int(),
    }),
  ),
});

const side = z.object({ sessions: z.int(), requests: z.int(), perRequest: z.number().nullable() });
const setTo = z.union([z.number(), z.boolean(), z.string()]).nullable();

/**
 * `GET /api/insights/outcome`: settings that `recommend --apply` wrote, and the recorded sessions before and after. docs/method.md, "Predicted and
 * realised".
 */
export const outcomeAnswer = z.object({
  /** Newest first. */
  changes: z
    .array(
      z.object({
        at: z.string(),
        undoneAt: z.string().nullable(),
        agent: z.string(),
        policy: z.string(),
        preset: z.string(),
        /** The changed file, with its keys. `null` for a setting that the file did not state. */
        path: z.string(),
        settings: z.array(z.object({ key: z.string(), named: z.string(), from: setTo, to: setTo })).readonly(),
        by: z.enum(ADVISED_BY),
        predicted: z.object({ saving, sessions: z.int(), projects: z.int() }),
        /** Sessions with a counterpart of the same project and models on the other side. */
        before: side,
        after: side,
        /** Number of sessions without a counterpart. */
        unmatched: z.int(),
        /** Number of sessions that began before the change and ended after it. */
        across: z.int(),
        /** Number of the agent's sessions without the metric. */
        unknown: z.int(),
        /** Minimum number of sessions on each side. */
        needed: z.int(),
        /** `null` while a side has fewer sessions than needed. */
        saving: saving.nullable(),
      }),
    )
    .readonly(),
  /** The file with these notes, and its unreadable lines. */
  file: z.string(),
  damagedLines: z.array(z.int()).readonly(),
});

const progress = z.object({
  type: z.literal("progress"),
  done: z.int(),
  total: z.int(),
  /** `files`: matching sessions are known once all files are read. `sessions`: they are being replayed. */
  of: z.enum(["files", "sessions"]),
});
const failed = z.object({ type: z.literal("failed"), detail: z.string() });

/** Events of the answer to `POST /api/insights/advice`: progress, then the answer, or the reason for its absence. */
export const adviceEvent = z.discriminatedUnion("type", [
  progress,
  failed,
  z.object({ type: z.literal("answer"), answer: adviceAnswer }),
]);

/** Events of the answer to `POST /api/insights/policies`. */
export const policiesEvent = z.discriminatedUnion("type", [
  progress,
  failed,
  z.object({ type: z.literal("answer"), answer: policiesAnswer }),
]);

export type Finding = z.infer<typeof finding>;
export type InsightsAnswer = z.infer<typeof insightsAnswer>;
export type AdviceRequest = z.input<typeof adviceRequest>;
export type PoliciesRequest = z.input<typeof policiesRequest>;
export type SettingLineWire = z.infer<typeof settingLine>;
export type SettingsToType = z.infer<typeof settingsToType>;
export type OutcomeAnswer = z.infer<typeof outcomeAnswer>;
export type AskedSessions = z.infer<typeof askedSessions>;
export type AdviceAnswer = z.infer<typeof adviceAnswer>;
export type PoliciesAnswer = z.infer<typeof policiesAnswer>;
export type AdviceEvent = z.infer<typeof adviceEvent>;
export type PoliciesEvent = z.infer<typeof policiesEvent>;
