import { z } from "zod";
import { tokens } from "./basics";

/** Cost of a session at list prices. Amounts are dollars; unknown amounts are `null`, never 0. */

const dollars = z.number().nullable();

const parts = { read: dollars, write: dollars, plain: dollars, output: dollars, total: dollars };

/** Models of the requests that a sum lacks because they have no price; absent if all have one. */
export const unpricedModels = z.array(z.string()).readonly().optional();

/** Parts of a session's cost, and their sum. All are `null` if one request has no price, or if there are no requests. */
export const costUsd = z.object({
  ...parts,
  /** The cost of the input without the output: exact even if the total is a lower bound. */
  input: dollars,
  /** True if the recorded output, and so the total, is a lower bound; `null` without a total. */
  lowerBound: z.boolean().nullable(),
  unpricedModels,
});

const counted = tokens.nullable();

/** Sums of recorded usage; `null` if no request records the number. */
export const usageSums = z.object({
  input: counted,
  output: counted,
  cacheRead: counted,
  cacheWrite: counted,
  reasoning: counted,
});

const billPart = z.object({
  /** Number of responses. */
  requests: z.int(),
  usage: usageSums,
  costUsd,
});

/** Cost of a subagent with a file of its own. */
const subagentPart = z.object({
  /** Id of its session in the list; on the command line the name of its file. */
  session: z.string(),
  title: z.string(),
  requests: z.int(),
  /** Dollars; `null` if a request has no price. */
  usd: dollars,
  lowerBound: z.boolean(),
});

/**
 * A session's requests by who paid for them: docs/prices.md, "Responses of a session". `null` if there are none. `costUsd` of the session is `own`,
 * `branches` and `compactions` together.
 */
export const bill = z.object({
  /** The session's own requests of the main chain, with all passes of their responses. */
  own: billPart.nullable(),
  /** Requests of the main chain that another session made: they are in this session's context, but on the other one's bill. */
  inherited: billPart.extend({ from: z.array(z.string()) }).nullable(),
  /** Requests on branches that a rewind abandoned. */
  branches: billPart.nullable(),
  /** Calls for summaries whose usage is recorded. */
  compactions: billPart.nullable(),
  /**
   * Requests of subagents: not part of `costUsd`. `files`: number of subagents with their own files; absent if only the session's own file was read.
   * `each`: subagents that the session itself started, with their own subagents, the most expensive first.
   */
  subagents: billPart.extend({ files: z.int().optional(), each: z.array(subagentPart).optional() }).nullable(),
  /** The part of `own` that is further passes of responses, such as an advisor's; `requests` counts passes. */
  passes: billPart.nullable(),
});

export const actedPauses = z.object({
  idle: z.int(),
  unusedIdle: z.int(),
  keepAliveRequests: z.int(),
  keepAliveUsd: z.number(),
  unusedUsd: z.number(),
});

/**
 * The cost of a replay. The parts and the total are `null` if the share of cache reads is unknown; the whole is `null` if a request has no price.
 * Under the policy `recorded` it is the recorded cost.
 */
export const simulatedCostUsd = z.object({
  ...parts,
  /** The calls for summaries, as part of the total; `null` under the policy `recorded`. */
  summaryCalls: dollars,
  /** Total costs with the most and with the fewest possible cache reads. */
  low: z.number(),
  high: z.number(),
  priced: z.boolean(),
  lowerBound: z.boolean(),
  /** Actions in pauses, as part of the total; absent for a replay that never does. `unusedUsd`: the part after the last request. */
  pauses: actedPauses.optional(),
});

const rate = z.number().optional();

const tier = z.object({
  from: tokens,
  input: z.number(),
  output: z.number(),
  read: rate,
  write5m: rate,
  write1h: rate,
});

const datedRates = z.object({
  from: z.string().optional(),
  until: z.string().optional(),
  minutes: z.tuple([z.number(), z.number()]).readonly().optional(),
  tiers: z.array(tier).readonly(),
});

/** A row of a price list, dollars per million tokens: docs/prices.md. A missing rate equals that of other input. */
export const priceEntry = z.object({
  ids: z.array(z.string()).readonly(),
  provider: z.enum(["anthropic", "openai", "other"]),
  /** By periods of time, each with its tiers by the size of the whole request. */
  rates: z.array(datedRates).readonly(),
  fast: rate,
  usOnly: rate,
  lifetime: rate,
  source: z.string(),
  seen: z.string(),
});

/** The user's own price list; its error as a sentence, which names the line: then the list prices apply. */
export const ownPriceList = z.object({ name: z.string(), problem: z.string().nullable() });

/** `GET /api/prices`: the models with a price, and the error of the user's own list; with `?model=`, that model's row. */
export const pricesAnswer = z.object({
  models: z.array(z.string()),
  /** The user's own list: `null` without one. */
  ownList: ownPriceList.nullable(),
  /** The requested row; `null` if that model has no price, or none was requested. */
  entry: priceEntry.nullable(),
});

/** Pricing terms. */
export const costChoice = {
  ttl: z
    .enum(["5m", "1h", "recorded"])
    .optional()
    .describe("the cache TTL, if the provider sells a choice; by default as recorded"),
  on: z
    .string()
    .optional()
    .describe("the model that all requests are priced as; its tokenizer would have counted other tokens"),
  priceDate: z
    .string()
    .optional()
    .describe("the day of the prices: recorded (each request's own, the default), today, or a day as 2026-09-01"),
};

/** The terms of a cost, as answers repeat them. */
export const costTerms = z.object({
  ttl: z.enum(["recorded", "5m", "1h"]),
  on: z.string().nullable(),
  priceDate: z.string(),
  /** True if the requested model would have counted other tokens: only the recording's own counts are known. */
  otherTokenizer: z.boolean(),
});

export const modelCost = z.object({ requests: z.int(), ...parts });

export const missCause = z.enum(["first", "compaction", "recorded", "model", "idle", "resume", "unexplained"]);

const causeSum = z.object({ count: z.int(), tokens, usd: dollars });

/** Tokens that were sent uncached although the previous request had left them in the cache. */
export const cacheMiss = z.object({
  request: z.int(),
  cause: missCause,
  tokens,
  /** Their cost beyond the cost of reading them. */
  usd: dollars,
  /** Milliseconds since the previous request. */
  gap: z.number().nullable(),
  /** The provider's own reason. */
  reason: z.string().nullable(),
});

/** Accuracy of the cache rule over the recording: numbers of pairs of requests. */
export const cacheRule = z.object({
  pairs: z.int(),
  exact: z.int(),
  within2: z.int(),
  /** Share by which the input of the session would have cost more according to the rule. */
  costError: z.number().nullable(),
  /** Pairs with an error of the rule above 2 %, largest error first: the later request, the predicted and the actual cache-read tokens. */
  misses: z.array(z.object({ request: z.int(), predicted: tokens, read: tokens, gap: z.number() })),
});

/** The file's own cost of its requests, next to this program's cost of the same requests. The two are never added. */
export const ownCost = z.object({
  requests: z.int(),
  own: z.number(),
  ours: dollars,
  /** True if the difference is reasoning that the file's amount includes twice. */
  reasoningTwice: z.boolean(),
});

/** The cost of a compaction, and the point at which it has paid for itself. */
export const boundaryCost = z.object({
  /** The request point after the compaction. */
  request: z.int(),
  /** The cost of uncached tokens after it, beyond the cost of reading them. */
  rewritingUsd: dollars,
  /** Cost of the summary call: the recorded one, else an estimate from the context that was sent. */
  callUsd: dollars,
  /** True if the call's usage is recorded. */
  callIsRecorded: z.boolean(),
  /** Sum of both. */
  usd: dollars,
  /** Number of requests with a warm cache after which both are recovered; at least 1. */
  breakEven: z.number().nullable(),
  /** True if they are never recovered, because reading the compacted context costs no less. */
  neverPays: z.boolean(),
});

/** The parts of a request's cost. */
const expensiveParts = { read: z.number(), again: z.number(), fresh: z.number(), output: z.number() };

/** An expensive request, and its reasons. */
export const expensiveRequest = z.object({
  request: z.int(),
  usd: z.number(),
  /**
   * `read`: cache reads; `again`: extra cost of sending tokens uncached after a cache miss; `fresh`: all other input; `output`: the answer. They sum
   * to `usd`.
   */
  parts: z.object(expensiveParts),
  tokens: z.object(expensiveParts),
  /** The largest part. */
  because: z.enum(["read", "again", "fresh", "output"]),
  cause: missCause.nullable(),
  /** The largest item that was new with the request, estimated by its bytes. */
  item: z
    .object({ index: z.int(), tool: z.string().nullable(), file: z.string().nullable(), isCall: z.boolean(), tokens })
    .nullable(),
});

/** The effect of another compaction schedule, or another cache TTL. */
export const costWhatIf = z.object({
  /** Compacting before every pause longer than the cache TTL; `null` if a request has no price. */
  beforeBreaks: z
    .object({
      assumed: z.object({
        /** The context after a compaction, and its summary: the mean of the recorded ones, or an assumption. */
        left: tokens,
        leftIsRecorded: z.boolean(),
        summary: tokens,
        summaryIsRecorded: z.boolean(),
        /** True if its call reads earlier content from the cache. */
        sharesPrefix: z.boolean(),
      }),
      pauses: z.int(),
      compactions: z.int(),
      /** Savings in the requests after the pauses, and in all later ones; cost of the calls. */
      behindPausesUsd: z.number(),
      laterUsd: z.number(),
      callsUsd: z.number(),
      /** The first two less the third: below 0 if it would have cost more. */
      savedUsd: z.number(),
    })
    .nullable(),
  /** All cache writes with a TTL of five minutes, and of an hour; `null` if a request has no price, or the provider sells no TTLs. */
  lifetimes: z
    .object({
      shortUsd: z.number(),
      longUsd: z.number(),
      /** Number of pauses that a TTL of an hour outlasts and one of five minutes does not. */
      pauses: z.int(),
      /** The hour costs more by `dearerWritesUsd` and less by `warmPausesUsd`. */
      dearerWritesUsd: z.number(),
      warmPausesUsd: z.number(),
    })
    .nullable(),
});

export const cost = z.object({
  file: z.string(),
  sessionId: z.string().nullable(),
  requests: z.int(),
  costUsd,
  /** Share of the requests with a price; `null` without requests. */
  priced: z.number().nullable(),
  byModel: z.record(z.string(), modelCost),
  /** An entry for the first request, and every cache miss; `null` if no request records cache reads. */
  breaks: z.array(cacheMiss).nullable(),
  /** Causes without a cache miss are omitted. Causes and growth sum to all uncached tokens. */
  breaksByCause: z
    .object({
      first: causeSum.optional(),
      compaction: causeSum.optional(),
      recorded: causeSum.optional(),
      model: causeSum.optional(),
      idle: causeSum.optional(),
      resume: causeSum.optional(),
      unexplained: causeSum.optional(),
      /** Uncached tokens of new content. */
      growth: z.object({ tokens }),
    })
    .nullable(),
  cacheRule: cacheRule.nullable(),
  /** The most expensive requests of the main chain, at most three; empty if no request has a price. */
  dearest: z.array(expensiveRequest),
  /** The recorded compactions, in order. */
  boundaries: z.array(boundaryCost),
  whatIf: costWhatIf,
  ownCost: ownCost.nullable(),
  /** Number of requests whose cache writes are not divided by TTL: all of these writes count as five-minute writes. */
  undividedWrites: z.int(),
  /** Web searches, which are not part of the sum. */
  webSearches: z.object({ count: z.int(), usd: dollars }),
  bill,
  /** Requests of subagents in the file, which are not part of the sum; `null` if there are none. The same as `bill.subagents`. */
  sidechains: z.object({ requests: z.int(), costUsd }).nullable(),
  /**
   * Models whose prices changed between requests of the session: each request has the price of its time. If all requests are priced as `on`, only
   * that model can be here.
   */
  repriced: z.array(z.string()),
  /** Models with a list price, but none for the speed or service tier of their requests, which have no price. */
  unpricedTerms: z.array(z.object({ model: z.string(), terms: z.string() })),
  /** Impossible numbers of the file, such as a negative count: they count as absent, so the sums may be too low. */
  impossibleFigures: z.int(),
  /** Sources of the prices. */
  prices: z.array(z.object({ model: z.string(), source: z.string(), seen: z.string() })),
  /** Model to price all requests as, if one was requested. */
  on: z.string().nullable(),
  /** Day of the prices: `recorded` is each request's own. */
  priceDate: z.string(),
  /** The session with another cache TTL, if one was requested. */
  withTtl: z.object({ ttl: z.enum(["5m", "1h"]), costUsd }).nullable(),
});

export type BoundaryCostWire = z.infer<typeof boundaryCost>;
export type Cost = z.infer<typeof cost>;
export type PriceEntryWire = z.infer<typeof priceEntry>;
export type PricesAnswer = z.infer<typeof pricesAnswer>;
export type BillWire = z.infer<typeof bill>;
export type CostUsd = z.infer<typeof costUsd>;
export type CostTermsWire = z.infer<typeof costTerms>;
export type SimulatedCostUsd = z.infer<typeof simulatedCostUsd>;
