import { z } from "zod";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { FACETS } from "@/lib/core/base/facet-keys";
import { unpricedModels } from "./cost";
import { missSums, sessionSums } from "./facets";
import { replayRequest, varyRange } from "./replay";

/** What is asked over a selection of sessions: which setting to choose, and how policies compare. */

/** The most sessions of one question: of more, those that ended last are asked. */
export const MOST_ASKED = 2000;

/** Which sessions are asked: those of the list that match, or some of them by their ids. */
const selection = {
  q: z.string().max(200).optional(),
  where: z.array(z.string().max(1200)).max(200).default([]),
  tz: z.string().max(64).optional().describe("the time zone of days in conditions; by default the server's"),
  sessions: z.array(z.string()).max(MOST_ASKED).optional().describe("without it all that match q and where"),
  seed: z.int().min(0).default(1).describe("what the random halves and the sessions drawn again follow from"),
};

export const adviceRequest = replayRequest.extend({
  ...selection,
  vary: z.array(varyRange).min(1).max(2),
  by: z.enum(ADVISED_BY).default("cost").describe("what is to be small"),
});

/** A policy among others. */
const policyRun = replayRequest.pick({ policy: true, preset: true, settings: true });

export const policiesRequest = z.strictObject({
  ...selection,
  runs: z.array(policyRun).min(2).max(12).describe("the first is what the others are compared with"),
});

/** Which sessions were asked. */
export const askedSessions = z.object({
  /** How many match; more than were asked where there are too many. */
  matched: z.int(),
  ids: z.array(z.string()).readonly(),
  /** The same for the same versions of the same files. */
  digest: z.string(),
  /** Files of the list that are not read, since somebody has stopped that: some of them may match. */
  unread: z.int(),
});

const set = z.record(z.string(), z.number()).readonly();
const missing = z.enum(["sessions", "interval", "size"]);
/** As a share of what it is now, with the interval that holds it in 95 of 100 cases. */
const saving = z.object({ estimate: z.number(), low: z.number(), high: z.number() });
/** Under an assumption: how many sessions have the figure there, how many do not, and of how many it is not asked since their own models' cache is priced alike. */
const coverage = { under: z.string(), sessions: z.int(), unknown: z.int(), alike: z.int() };
const advice = z.object({ ...coverage, set, saving, missing: z.array(missing).readonly() });

/** docs/method.md, "The recommendation". */
export const recommendation = z.object({
  by: z.enum(ADVISED_BY),
  seed: z.int(),
  sessions: z.int(),
  projects: z.int(),
  /** How many reach a trigger, and those that do not. */
  crossing: z.int(),
  unaffected: z.array(z.string()).readonly(),
  current: z.number(),
  settings: z.array(z.object({ set, total: z.number(), saving: z.number() })).readonly(),
  isEvidence: z.boolean(),
  advice,
  worst: advice,
  turns: z.array(advice).readonly(),
  /** Assumptions under which no session has the figure. */
  unknown: z.array(z.object(coverage)).readonly(),
  /** The settings within a hundredth of the best one. */
  flat: z.array(set).readonly(),
  /** Of how many sessions the cost is the least that it can be, as with all sums that it is in. 0 unless it is by cost. */
  lowerBounds: z.int(),
  because: z.object({ read: z.number(), anew: z.number(), output: z.number(), summaryCalls: z.number() }).nullable(),
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

export const adviceAnswer = z.object({
  asked: askedSessions,
  /** `null` where no session can be asked. */
  found: recommendation.nullable(),
  leftOut: z.array(leftOut).readonly(),
});

/** A figure of a policy over all sessions that have it under every policy. */
const policySum = z.object({
  sessions: z.int(),
  total: z.number(),
  /** What it saves against the first policy: as an interval from projects and sessions that are drawn again. `null` of the first. */
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
  /** Of how many of the sessions in its sums the cost is the least that it can be, as with these sums. */
  lowerBounds: z.int(),
  /** Sessions that lack a figure under one of the policies, and so are no part of that figure's sums. */
  without: z.object({
    cost: z.array(z.string()).readonly(),
    tokens: z.array(z.string()).readonly(),
    neededAgain: z.array(z.string()).readonly(),
  }),
});

/** Every hundredth part of the sessions, from the smallest value: how many of them have this value or a smaller one. */
const distribution = z.object({
  sessions: z.int(),
  /** Sessions that lack the figure. */
  unknown: z.int(),
  points: z.array(z.tuple([z.number(), z.int()])),
});

/** A share as its part and its whole. */
const share = z.object({ part: z.number(), whole: z.number() }).nullable();

/** `GET /api/insights`: sums and distributions over the sessions that match, and how far they can be trusted. Copies are left out. */
export const insightsAnswer = z.object({
  by: z.enum(FACETS),
  total: sessionSums,
  breaksByCause: missSums,
  /** Whose days these are: that of `tz`, else the server's. */
  timeZone: z.string(),
  /** By value; of days the last first, of others the most frequent. */
  groups: z.array(
    sessionSums.extend({
      value: z.string().nullable(),
      breaksByCause: missSums,
      /** The largest contexts of these sessions, by percentile; `null` where none is known. */
      peak: z.object({ p50: z.number(), p75: z.number(), p95: z.number() }).nullable(),
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
      /** Recorded compactions that the agent's own policy meets. */
      fidelity: share,
      /** Requests of which the rule of the cache foresees what was read, within 2 %. */
      cacheRule: share,
      /** Of the needs that the rule of simulated boundaries foresees, those that were bought again, and the reverse. */
      predictorPrecision: share,
      predictorRecall: share,
      /** Paths needed again that the summary names, and of those that it names the ones that were used. */
      summaryRecall: share,
      summaryPrecision: share,
      unpriced: z.int(),
      unpricedModels,
      damagedLines: z.int(),
    }),
  ),
});

const progress = z.object({
  type: z.literal("progress"),
  done: z.int(),
  total: z.int(),
  /** `files`: those that match are known once all are read. `sessions`: they are being replayed. */
  of: z.enum(["files", "sessions"]),
});
const failed = z.object({ type: z.literal("failed"), detail: z.string() });

/** The events of the answer to `POST /api/insights/advice`: progress, then the answer, or why there is none. */
export const adviceEvent = z.discriminatedUnion("type", [
  progress,
  failed,
  z.object({ type: z.literal("answer"), answer: adviceAnswer }),
]);

/** The same of `POST /api/insights/policies`. */
export const policiesEvent = z.discriminatedUnion("type", [
  progress,
  failed,
  z.object({ type: z.literal("answer"), answer: policiesAnswer }),
]);

export type InsightsAnswer = z.infer<typeof insightsAnswer>;
export type AdviceRequest = z.input<typeof adviceRequest>;
export type PoliciesRequest = z.input<typeof policiesRequest>;
export type AskedSessions = z.infer<typeof askedSessions>;
export type AdviceAnswer = z.infer<typeof adviceAnswer>;
export type PoliciesAnswer = z.infer<typeof policiesAnswer>;
export type AdviceEvent = z.infer<typeof adviceEvent>;
export type PoliciesEvent = z.infer<typeof policiesEvent>;
