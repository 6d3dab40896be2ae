import { z } from "zod";
import { tokens } from "./basics";

/** What a session cost by list prices. Amounts are dollars; what is not known is `null`, never 0. */

const dollars = z.number().nullable();

const parts = { read: dollars, write: dollars, plain: dollars, output: dollars, total: dollars };

/** Models of the requests that a sum lacks because they have no price; absent where all have one. */
export const unpricedModels = z.array(z.string()).readonly().optional();

/** Parts of a session's cost, and their sum. All are `null` where one request has no price, or where there are no requests. */
export const costUsd = z.object({
  ...parts,
  /** The cost of what was sent, without that of the answers: exact even where the total is a lower bound. */
  input: dollars,
  /** Whether the recorded output, and so the total, is a lower bound; `null` without a total. */
  lowerBound: z.boolean().nullable(),
  unpricedModels,
});

const counted = tokens.nullable();

/** Sums of recorded usage; `null` where no request records the figure. */
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

/**
 * A session's requests by who paid for them: docs/prices.md, "What counts to a session". `null` where there are none. `costUsd` of the session is
 * `own`, `branches` and `compactions` together.
 */
export const bill = z.object({
  /** The session's own requests of the main chain, with all passes of their responses. */
  own: billPart.nullable(),
  /** Requests of the main chain that another session made: they are in the context, and on that session's bill. */
  inherited: billPart.extend({ from: z.array(z.string()) }).nullable(),
  /** Requests on branches that a rewind abandoned. */
  branches: billPart.nullable(),
  /** Calls for summaries whose usage is recorded. */
  compactions: billPart.nullable(),
  /** Requests of subagents: not part of `costUsd`. `files` of them have files of their own; absent where only the session's own file was looked at. */
  subagents: billPart.extend({ files: z.int().optional() }).nullable(),
  /** The part of `own` that is further passes of responses, such as an advisor's; `requests` counts passes. */
  passes: billPart.nullable(),
});

/**
 * What a replay would have cost. The parts and the total are `null` where nothing says what share of a cache is read; the whole is `null` where a
 * request has no price. Under the policy `recorded` it is what was recorded.
 */
export const simulatedCostUsd = z.object({
  ...parts,
  /** The calls for summaries, as part of the total; `null` under the policy `recorded`. */
  summaryCalls: dollars,
  /** The cost of everything, if as much as possible is read from the cache, and if as little as possible is. */
  low: z.number(),
  high: z.number(),
  priced: z.boolean(),
  lowerBound: z.boolean(),
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

/** A row of a list of prices, dollars per million tokens: docs/prices.md. A rate that is not there is that of other input. */
export const priceEntry = z.object({
  ids: z.array(z.string()).readonly(),
  provider: z.enum(["anthropic", "openai", "other"]),
  /** By stretches of time, each with its tiers by the size of the whole request. */
  rates: z.array(datedRates).readonly(),
  fast: rate,
  usOnly: rate,
  lifetime: rate,
  source: z.string(),
  seen: z.string(),
});

/** The user's own list of prices; what is wrong with it in a sentence, which names the line: then the listed prices hold. */
export const ownPriceList = z.object({ name: z.string(), problem: z.string().nullable() });

/** `GET /api/prices`: the models that have a price, and what is wrong with the user's own list; with `?model=`, that model's row. */
export const pricesAnswer = z.object({
  models: z.array(z.string()),
  /** The user's own list: `null` where there is none. */
  ownList: ownPriceList.nullable(),
  /** The row that was asked for; `null` where that model has no price, and where none was asked for. */
  entry: priceEntry.nullable(),
});

/** How costs are reckoned. */
export const costChoice = {
  ttl: z
    .enum(["5m", "1h", "recorded"])
    .optional()
    .describe(
      "how long what is written to a cache is kept, where the provider sells lifetimes; as recorded without one",
    ),
  on: z
    .string()
    .optional()
    .describe("the model that all requests are priced as; its tokenizer would have counted other tokens"),
  priceDate: z
    .string()
    .optional()
    .describe("whose day's prices: recorded (each request's own, also without one), today, or a day as 2026-09-01"),
};

/** The same as answers repeat it. */
export const costTerms = z.object({
  ttl: z.enum(["recorded", "5m", "1h"]),
  on: z.string().nullable(),
  priceDate: z.string(),
  /** Whether the model that was asked for would have counted other tokens: only those of the recording's are known. */
  otherTokenizer: z.boolean(),
});

export const modelCost = z.object({ requests: z.int(), ...parts });

export const missCause = z.enum(["first", "compaction", "recorded", "model", "idle", "resume", "unexplained"]);

const causeSum = z.object({ count: z.int(), tokens, usd: dollars });

/** Tokens that were sent anew although the request before had left them in the cache. */
export const cacheMiss = z.object({
  /** Request point. */
  request: z.int(),
  cause: missCause,
  tokens,
  /** What they cost beyond what reading them would have cost. */
  usd: dollars,
  /** Milliseconds since the request before. */
  gap: z.number().nullable(),
  /** The provider's own reason. */
  reason: z.string().nullable(),
});

/** How well the rule of the cache holds over the recording: numbers of pairs of requests. */
export const cacheRule = z.object({
  pairs: z.int(),
  exact: z.int(),
  within2: z.int(),
  /** By what share more the session's input would have cost by the rule. */
  costError: z.number().nullable(),
  /**
   * The pairs for which the rule is off by more than 2 %, largest error first: the later request, the tokens that the rule predicts it to read, and
   * the tokens that it read.
   */
  misses: z.array(z.object({ request: z.int(), predicted: tokens, read: tokens, gap: z.number() })),
});

/** What the file itself says that its requests cost, beside our cost of the same requests. The two are never added. */
export const ownCost = z.object({
  requests: z.int(),
  own: z.number(),
  ours: dollars,
  /** Whether the difference is reasoning that the file's figure includes twice. */
  reasoningTwice: z.boolean(),
});

/** What a compaction cost, and when it has paid for itself. */
export const boundaryCost = z.object({
  /** The request point before which it happened. */
  request: z.int(),
  /** The cost of what was sent anew after it, beyond what reading that would have cost. */
  rewritingUsd: dollars,
  /** Cost of the summary call: the recorded one, else an estimate from the context that was sent. */
  callUsd: dollars,
  /** Whether the call's usage is recorded. */
  callIsRecorded: z.boolean(),
  /** Both together. */
  usd: dollars,
  /** Number of requests with a warm cache after which both are recovered; 0 means with the first one. */
  breakEven: z.number().nullable(),
  /** Whether they are never recovered, because what the compaction left costs no less to read. */
  neverPays: z.boolean(),
});

/** The parts of a request's cost. */
const dearParts = { read: z.number(), again: z.number(), fresh: z.number(), output: z.number() };

/** A request that cost much, and why. */
export const dearRequest = z.object({
  request: z.int(),
  usd: z.number(),
  /**
   * `read`: reading; `again`: what sending anew cost beyond reading, where the cache broke; `fresh`: everything else that was sent; `output`: the
   * answer. They sum to `usd`.
   */
  parts: z.object(dearParts),
  tokens: z.object(dearParts),
  /** The largest part. */
  because: z.enum(["read", "again", "fresh", "output"]),
  cause: missCause.nullable(),
  /** The largest item that was new with the request, estimated by its bytes. */
  item: z
    .object({ index: z.int(), tool: z.string().nullable(), file: z.string().nullable(), isCall: z.boolean(), tokens })
    .nullable(),
});

/** What another schedule of compactions, or another lifetime of the cache, would have changed. */
export const costWhatIf = z.object({
  /** Compacting before every pause that is longer than the cache lives; `null` where a request has no price. */
  beforeBreaks: z
    .object({
      assumed: z.object({
        /** The context that a compaction leaves, and its summary: the mean of the recorded ones, or an assumption. */
        left: tokens,
        leftIsRecorded: z.boolean(),
        summary: tokens,
        summaryIsRecorded: z.boolean(),
        /** Whether its call reads what was sent before it from the cache. */
        sharesPrefix: z.boolean(),
      }),
      pauses: z.int(),
      compactions: z.int(),
      /** What is saved in the requests after the pauses, and in all later ones; what the calls cost. */
      behindPausesUsd: z.number(),
      laterUsd: z.number(),
      callsUsd: z.number(),
      /** The first two less the third: below 0 where it would have cost more. */
      savedUsd: z.number(),
    })
    .nullable(),
  /** Everything written for five minutes, and everything written for an hour; `null` where a request has no price, or no provider sells lifetimes. */
  lifetimes: z
    .object({
      shortUsd: z.number(),
      longUsd: z.number(),
      /** Number of pauses that an hour outlives and five minutes do not. */
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
  /** Share of the requests that have a price; `null` without requests. */
  priced: z.number().nullable(),
  byModel: z.record(z.string(), modelCost),
  /** An entry for the first request, and every break of the cache; `null` where no request records what it read. */
  breaks: z.array(cacheMiss).nullable(),
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
  /** The dearest requests of the main chain, at most three; empty where no request has a price. */
  dearest: z.array(dearRequest),
  /** The recorded compactions, in their order. */
  boundaries: z.array(boundaryCost),
  whatIf: costWhatIf,
  ownCost: ownCost.nullable(),
  /** Number of requests whose writes the file does not divide by lifetime: all of these writes count as five-minute writes. */
  undividedWrites: z.int(),
  /** Web searches, which are not part of the sum. */
  webSearches: z.object({ count: z.int(), usd: dollars }),
  bill,
  /** Requests of subagents whose records are in the file, which are not part of the sum; `null` where there are none. The same as `bill.subagents`. */
  sidechains: z.object({ requests: z.int(), costUsd }).nullable(),
  /** Models whose prices changed between requests of the session: each request has those of its time. Only `on`, if all are priced as that. */
  repriced: z.array(z.string()),
  /** Models with a listed price, but none for a speed or service tier of their requests: these have no price. */
  unpricedTerms: z.array(z.object({ model: z.string(), terms: z.string() })),
  /** Figures of the file that cannot be, such as a negative count: they count as absent, so the sums may be too low. */
  impossibleFigures: z.int(),
  /** Where the prices were read. */
  prices: z.array(z.object({ model: z.string(), source: z.string(), seen: z.string() })),
  /** The model that all requests are priced as, if another one was asked for. */
  on: z.string().nullable(),
  /** Whose day's prices were taken: `recorded`, each request's own. */
  priceDate: z.string(),
  /** The session with another lifetime of the cache, where one was asked for. */
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
