import { z } from "zod";
import { tokens } from "./basics";

/** What a session cost by list prices. Figures are dollars; what is not known is `null`, never 0. */

const dollars = z.number().nullable();

const parts = { read: dollars, write: dollars, plain: dollars, output: dollars, total: dollars };

/** Parts of a session's cost, and their sum. All are `null` where one request has no price, or there is none. */
export const costUsd = z.object({
  ...parts,
  /** What was sent, without what was answered: exact also where the total is a lower bound. */
  input: dollars,
  /** Whether the recorded output, and so the total, is a lower bound; `null` without a total. */
  lowerBound: z.boolean().nullable(),
});

/**
 * What a replay would have cost. The middle and its parts are `null` where nothing says what share of a cache is read, all of it where a request has no
 * price; under the policy `recorded` it is what was recorded.
 */
export const simulatedCostUsd = z.object({
  ...parts,
  /** The calls for summaries, within the total; `null` under the policy `recorded`. */
  summaryCalls: dollars,
  /** Everything, if as much as can be is read from the cache, and as little. */
  low: z.number(),
  high: z.number(),
  priced: z.boolean(),
  lowerBound: z.boolean(),
});

export const modelCost = z.object({ requests: z.int(), ...parts });

export const breakCause = z.enum(["first", "compaction", "recorded", "model", "idle", "resume", "unexplained"]);

const causeSum = z.object({ count: z.int(), tokens, usd: dollars });

/** Tokens sent anew although the request before had left them in the cache. */
export const cacheBreak = z.object({
  /** Request point. */
  request: z.int(),
  cause: breakCause,
  tokens,
  /** What they cost beyond what reading them would have. */
  usd: dollars,
  /** Milliseconds since the request before. */
  gap: z.number().nullable(),
  /** What the provider says of it. */
  reason: z.string().nullable(),
});

/** How well the rule of the cache holds over the recording: numbers of pairs of requests. */
export const cacheRule = z.object({
  pairs: z.int(),
  exact: z.int(),
  within2: z.int(),
  /** By how much the session's input would have cost more by the rule, as a share. */
  costError: z.number().nullable(),
});

/** What the file itself says that its requests cost, beside ours of the same requests. Never added. */
export const ownCost = z.object({
  requests: z.int(),
  own: z.number(),
  ours: dollars,
  /** Whether the difference is reasoning that the file's figure holds twice. */
  reasoningTwice: z.boolean(),
});

export const cost = z.object({
  file: z.string(),
  sessionId: z.string().nullable(),
  requests: z.int(),
  costUsd,
  /** Share of the requests that have a price; `null` without requests. */
  priced: z.number().nullable(),
  byModel: z.record(z.string(), modelCost),
  /** The first request's line and every break of the cache; `null` where no request records what it read. */
  breaks: z.array(cacheBreak).nullable(),
  /** A cause without a break is left out. Causes and growth sum to everything that was written or sent plain. */
  breaksByCause: z
    .object({
      first: causeSum.optional(),
      compaction: causeSum.optional(),
      recorded: causeSum.optional(),
      model: causeSum.optional(),
      idle: causeSum.optional(),
      resume: causeSum.optional(),
      unexplained: causeSum.optional(),
      /** What was written or sent plain because it was new. */
      growth: z.object({ tokens }),
    })
    .nullable(),
  cacheRule: cacheRule.nullable(),
  ownCost: ownCost.nullable(),
  /** Requests whose writes the file does not divide by lifetime: all of them count for five minutes. */
  undividedWrites: z.int(),
  /** Searches on the web, outside of the sum. */
  webSearches: z.object({ count: z.int(), usd: dollars }),
  /** Requests of subagents whose records are in the file, outside of the sum; `null` where there are none. */
  sidechains: z.object({ requests: z.int(), costUsd }).nullable(),
  /** Where the prices were read. */
  prices: z.array(z.object({ model: z.string(), source: z.string(), seen: z.string() })),
  /** The model that all requests are priced as, where another one was asked for. */
  on: z.string().nullable(),
  /** The session with another lifetime of the cache, where one was asked for. */
  withTtl: z.object({ ttl: z.enum(["5m", "1h"]), costUsd }).nullable(),
});

export type Cost = z.infer<typeof cost>;
export type CostUsd = z.infer<typeof costUsd>;
export type SimulatedCostUsd = z.infer<typeof simulatedCostUsd>;
