import { withoutRefusals } from "../compaction/simulation/simulated-compaction";
import { bandOfBest, bandOfCost, bandOfRefetched, keptTokens, requestsNearWindow, shortestCycle } from "./computed";
import type { Metric } from "./metric";

/**
 * Every metric of a replay, in the order in which they are shown. Answers and their schemas, comparisons, sweeps and their sums, the tables and
 * charts of the page, and the texts of the command line all follow from this list. To add a metric, add an entry here, and its name and note to the
 * messages (`metrics`).
 */
export const METRICS = [
  {
    key: "requests",
    of: ({ replay }) => replay.totals.requests,
    unit: "requests",
    mayBeAbsent: false,
    better: "neither",
    over: "sum",
    answer: "totals",
    shown: {},
    text: { replay: "requests" },
  },
  {
    key: "compactions",
    of: ({ replay }) => withoutRefusals(replay.compactions).length,
    unit: "count",
    mayBeAbsent: false,
    better: "lower",
    over: "sum",
    // The answer about one replay lists them instead.
    answer: "row",
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "compactions", sweep: "compactions" },
  },
  {
    key: "peak",
    of: ({ replay }) => replay.totals.peak,
    unit: "tokens",
    mayBeAbsent: false,
    better: "lower",
    over: "most",
    answer: "totals",
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "peak", sweep: "peak" },
  },
  {
    key: "final",
    of: ({ replay }) => replay.totals.final,
    unit: "tokens",
    mayBeAbsent: false,
    better: "neither",
    over: "none",
    answer: "totals",
    shown: {},
    text: { replay: "final context" },
  },
  {
    // Sum of the context over all request points, without the calls for summaries.
    key: "tokensSent",
    of: ({ replay }) => replay.totals.tokensSent,
    unit: "tokens",
    mayBeAbsent: false,
    better: "lower",
    over: "sum",
    answer: "totals",
    shown: { compare: "share", results: "share", sweep: true },
    text: { replay: "tokens sent", sweep: "sent" },
  },
  {
    // Uncached tokens because the context changed, over all requests: `Replay.uncached`.
    key: "tokensRewritten",
    of: ({ replay }) => replay.totals.tokensRewritten,
    unit: "tokens",
    mayBeAbsent: false,
    better: "lower",
    over: "sum",
    comparable: (a, b) => a.uncachedByReads === b.uncachedByReads,
    answer: "totals",
    shown: { compare: "share", results: "number", sweep: true },
    text: { replay: "re-sent uncached", sweep: "re-sent uncached" },
  },
  {
    // The tokens sent for a recording's summaries are not recorded.
    key: "summaryCallTokens",
    of: ({ replay, isRecording }) => (isRecording ? null : replay.totals.summaryCallTokens),
    unit: "tokens",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    answer: "totals",
    zeroWhereAbsent: true,
    shown: { compare: "share", results: "number", sweep: true },
    text: { replay: "summary calls" },
  },
  {
    key: "keptTokens",
    of: keptTokens,
    unit: "tokens",
    mayBeAbsent: false,
    better: "higher",
    over: "mean",
    answer: "row",
    shown: { compare: "number", sweep: true },
    text: { sweep: "kept" },
  },
  {
    key: "requestsNearWindow",
    of: requestsNearWindow,
    unit: "requests",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    shown: { compare: "number" },
    text: { compare: "above 80 %" },
  },
  {
    key: "requestsOverWindow",
    of: ({ replay }) => replay.totals.requestsOverWindow,
    unit: "requests",
    mayBeAbsent: false,
    better: "lower",
    over: "sum",
    answer: "totals",
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "above window" },
  },
  {
    // By list prices: docs/prices.md, "Cost of a simulation". The cost of a recording does not include its summary calls.
    key: "costUsd",
    of: ({ cost }) => cost?.total ?? null,
    band: bandOfCost,
    unit: "dollars",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    answerPart: "total",
    shown: { compare: "share", results: "share", sweep: true },
    text: { replay: "cost by list prices", sweep: "cost" },
  },
  {
    // Extra cost over the best timing in hindsight: docs/method.md, "The hindsight optimum".
    key: "regret",
    of: ({ regret }) => regret,
    unit: "share",
    mayBeAbsent: true,
    better: "lower",
    over: "mean",
    answer: "totals",
    onRequest: true,
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "above best timing", sweep: "above best timing" },
  },
  {
    // Cost of the hindsight optimum. A comparison shows that schedule as a run of its own.
    key: "bestUsd",
    of: ({ bestUsd }) => bestUsd,
    band: bandOfBest,
    leastWith: "costUsd",
    unit: "dollars",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    answer: "totals",
    onRequest: true,
    shown: { sweep: true },
    text: { sweep: "best timing" },
  },
  {
    // Dropped paths that were used again, and dropped texts that were edited: docs/method.md, "Re-fetched content". The band begins with the edits
    // alone.
    key: "neededAgain",
    of: ({ refetched }) => refetched?.count ?? null,
    band: bandOfRefetched,
    unit: "count",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    answer: "totals",
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "re-fetched", sweep: "re-fetched" },
  },
  {
    // Tokens of the cheapest items that would bring them back.
    key: "neededAgainTokens",
    of: ({ refetched }) => refetched?.tokens ?? null,
    unit: "tokens",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    answer: "totals",
    shown: { compare: "number", results: "number", sweep: true },
    text: { replay: "re-fetched tokens", sweep: "re-fetched tokens" },
  },
  {
    key: "shortestCycle",
    of: shortestCycle,
    unit: "requests",
    mayBeAbsent: true,
    better: "higher",
    over: "none",
    shown: { compare: "number" },
    text: { compare: "shortest cycle" },
  },
  {
    // Actions in pauses, for a replay with any: docs/method.md, "Pauses".
    key: "idleCompactions",
    of: ({ cost }) => cost?.pauses?.idle ?? null,
    unit: "count",
    mayBeAbsent: true,
    better: "neither",
    over: "sum",
    shown: { results: "number" },
    whereKnown: true,
    text: {},
  },
  {
    // Idle compactions after the last request, whose result no request used.
    key: "unusedIdle",
    of: ({ cost }) => cost?.pauses?.unusedIdle ?? null,
    unit: "count",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    shown: { results: "number" },
    whereKnown: true,
    text: {},
  },
  {
    key: "keepAliveRequests",
    of: ({ cost }) => cost?.pauses?.keepAliveRequests ?? null,
    unit: "count",
    mayBeAbsent: true,
    better: "neither",
    over: "sum",
    shown: { results: "number" },
    whereKnown: true,
    text: {},
  },
  {
    key: "keepAliveUsd",
    of: ({ cost }) => cost?.pauses?.keepAliveUsd ?? null,
    unit: "dollars",
    mayBeAbsent: true,
    better: "lower",
    over: "sum",
    shown: { results: "number" },
    whereKnown: true,
    text: {},
  },
] as const satisfies readonly Metric[];

/** The type of the metrics, each with everything that its entry states. */
export type RegisteredMetric = (typeof METRICS)[number];

export type MetricKey = RegisteredMetric["key"];

export type SweptKey = Extract<RegisteredMetric, { readonly shown: { readonly sweep: true } }>["key"];

/** Pairs of metrics that a sweep plots against each other, by the one that is spent: improving one makes the other worse. */
export const TRADE_OFFS = {
  tokensSent: ["tokensSent", "keptTokens"],
  costUsd: ["costUsd", "keptTokens"],
} as const satisfies Readonly<Record<string, readonly [SweptKey, SweptKey]>>;

/** Metric that is spent for the tokens that a compaction keeps. */
export type Spent = keyof typeof TRADE_OFFS;

/** All metrics that can be spent. By default a sweep marks its best rows by the first. */
export const SPENT = ["tokensSent", "costUsd"] as const satisfies readonly Spent[];

/** The pair by which a sweep marks its best rows by default. */
export const TRADE_OFF = TRADE_OFFS[SPENT[0]];
