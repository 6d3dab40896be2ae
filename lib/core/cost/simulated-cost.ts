import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { Rates } from "../prices/model";
import {
  type BucketShares,
  bucketOf,
  type Fraction,
  isCompared,
  ofOpenai,
  SLACK,
  shareOf,
  sharesOf,
} from "./cache-shares";
import { LIFETIMES, type Pair, pairsOf } from "./chain";
import { costOf, type MicroDollars } from "./money";
import { CHOSEN_LIFETIMES, type ChosenLifetime } from "./other-lifetime";
import type { PricedRequest } from "./priced-requests";
import { type Cost, NO_COST, sumOf, totalOf } from "./recorded-cost";

/** What a replay says of the contexts that were sent. Source: docs/prices.md, "What a simulation costs". */
export interface Simulation {
  /** Tokens of every request point, and how many of them are the unchanged beginning of the one before. */
  readonly context: Int32Array;
  readonly shared: Int32Array;
  readonly compactions: readonly SummaryCall[];
}

/** What a compaction sent for its summary, and what came of it. */
export interface SummaryCall {
  readonly request: RequestIndex;
  readonly summaryCallTokens: Tokens;
  readonly summaryTokens: Tokens;
}

export interface CacheChoice {
  /** How long what is written is kept, where the provider sells lifetimes. */
  readonly ttl: ChosenLifetime | "recorded";
  /** Whether the call for a summary begins with what was sent before it; `undefined` where that is not known. */
  readonly sharesPrefix: boolean | undefined;
}

export interface SimulatedCost {
  /** The requests' costs; `undefined` where nothing says what share of a cache is read. */
  readonly cost: Cost | undefined;
  readonly summaryCalls: MicroDollars | undefined;
  /** Everything together, if as much as can be is read, and as little. */
  readonly low: MicroDollars;
  readonly high: MicroDollars;
}

/** What is read: by the rule, at most and at least. */
interface Reads {
  readonly likely: Tokens | undefined;
  readonly most: Tokens;
  readonly least: Tokens;
}

/** What a session would have cost with these contexts. `undefined` where one of its requests has no price, or there is none. */
export function simulatedCost(
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  simulation: Simulation,
  choice: CacheChoice,
): SimulatedCost | undefined {
  if (requests.length === 0) return undefined;
  const model = new CacheModel(columns, requests, simulation, choice);
  let sum: Priced = { likely: NO_COST, low: 0, high: 0 };
  for (const index of requests.keys()) {
    const cost = model.request(index);
    if (cost === undefined) return undefined;
    sum = plus(sum, cost);
  }
  let calls: Priced = { likely: NO_COST, low: 0, high: 0 };
  for (const call of simulation.compactions) {
    const cost = call.summaryCallTokens > 0 ? model.summaryCall(call) : { likely: NO_COST, low: 0, high: 0 };
    if (cost === undefined) return undefined;
    calls = plus(calls, cost);
  }
  const summaryCalls = calls.likely && totalOf(calls.likely);
  return { cost: sum.likely, summaryCalls, low: sum.low + calls.low, high: sum.high + calls.high };
}

/** Costs of something: by the rule, and as the two ends of the band. */
interface Priced {
  readonly likely: Cost | undefined;
  readonly low: MicroDollars;
  readonly high: MicroDollars;
}

function plus(a: Priced, b: Priced): Priced {
  const likely = a.likely === undefined || b.likely === undefined ? undefined : sumOf(a.likely, b.likely);
  return { likely, low: a.low + b.low, high: a.high + b.high };
}

/** A miss reads no more than a system prompt that other sessions keep warm. Measured: at most 25,000 tokens. */
const MOST_AFTER_MISS: Tokens = 35_000;

class CacheModel {
  readonly #pairs: ReadonlyMap<PricedRequest, Pair>;
  readonly #openai: BucketShares;
  readonly #other: BucketShares;
  /** Of other providers the share over all buckets that have one. */
  readonly #anyOther: Fraction | undefined;

  constructor(
    columns: SessionColumns,
    private readonly requests: readonly PricedRequest[],
    private readonly simulation: Simulation,
    private readonly choice: CacheChoice,
  ) {
    const pairs = pairsOf(columns, requests);
    const compared = pairs.filter(isCompared);
    this.#pairs = new Map(pairs.map((pair) => [pair.now, pair]));
    this.#openai = sharesOf(compared.filter(({ now }) => now.entry?.provider === "openai"));
    this.#other = sharesOf(compared.filter(({ now }) => (now.entry?.provider ?? "other") === "other"));
    this.#anyOther = allOf(this.#other);
  }

  request(index: number): Priced | undefined {
    const request = this.requests[index];
    const sent = this.simulation.context[request?.request ?? -1] ?? 0;
    const rates = request?.ratesOf(sent);
    if (request === undefined || rates === undefined) return undefined;
    const shared = Math.min(sent, this.#sharedBefore(index));
    return this.#priced(request, rates, { sent, output: request.output, reads: this.#reads(index, shared) });
  }

  /** A call that shares nothing has all of its input at the full price. */
  summaryCall({ request: point, summaryCallTokens: sent, summaryTokens: output }: SummaryCall): Priced | undefined {
    const next = this.requests.findIndex(({ request }) => request >= point);
    const index = next < 0 ? this.requests.length - 1 : next;
    const request = this.requests[index];
    const rates = request?.ratesOf(sent);
    if (request === undefined || rates === undefined) return undefined;
    const { sharesPrefix } = this.choice;
    const before = point === 0 ? 0 : (this.simulation.context[point - 1] ?? 0);
    const shared = sharesPrefix === false ? 0 : Math.min(sent, before);
    const reads = this.#reads(index, shared);
    const plain = sharesPrefix === true ? undefined : { likely: 0, most: reads.most, least: 0 };
    return this.#priced(request, rates, { sent, output, reads: plain ?? reads, isPlain: sharesPrefix !== true });
  }

  /** What reaches from the priced request before to this one: points without usage between them may have cut it. */
  #sharedBefore(index: number): Tokens {
    const [before, now] = [this.requests[index - 1], this.requests[index]];
    let shared = Number.POSITIVE_INFINITY;
    for (let point = (before?.request ?? -1) + 1; point <= (now?.request ?? -1); point++)
      shared = Math.min(shared, this.simulation.shared[point] ?? 0);
    return shared;
  }

  #reads(index: number, shared: Tokens): Reads {
    const request = this.requests[index];
    const pair = request && this.#pairs.get(request);
    if (request === undefined) return same(0);
    // The first one reads what another session left.
    if (pair === undefined) return same(Math.min(request.read, this.simulation.context[request.request] ?? 0));
    if (pair.before.modelId !== pair.now.modelId) return same(0);
    switch (request.entry?.provider) {
      case "anthropic":
        return pair.gap > this.#lifetime(pair) + SLACK ? this.#afterMiss(index, shared) : same(shared);
      case "openai": {
        const likely = ofOpenai(shared, pair.gap, this.#openai);
        return { likely, most: shared, least: pair.gap > pair.lifetime ? 0 : likely };
      }
      default: {
        const share = this.#other[bucketOf(pair.gap)] ?? this.#anyOther;
        return { likely: share && shareOf(shared, share), most: shared, least: 0 };
      }
    }
  }

  #lifetime(pair: Pair): Milliseconds {
    const { ttl } = this.choice;
    return ttl === "recorded" ? pair.lifetime : CHOSEN_LIFETIMES[ttl];
  }

  /** What this session itself read after misses: the smallest read that is no more than a system prompt. */
  #afterMiss(index: number, shared: Tokens): Reads {
    let least = Number.POSITIVE_INFINITY;
    for (const { read } of this.requests.slice(0, index)) if (read > 0) least = Math.min(least, read);
    const read = least < MOST_AFTER_MISS ? Math.min(least, shared) : 0;
    return { likely: read, most: read, least: 0 };
  }

  #priced(request: PricedRequest, rates: Rates, call: Call): Priced {
    const isLong = this.#writesLong(request);
    const cost = (read: Tokens) => costOfCall(request, rates, call, read, isLong);
    const { likely, most, least } = call.reads;
    return {
      likely: likely === undefined ? undefined : cost(likely),
      low: totalOf(cost(most)),
      high: totalOf(cost(least)),
    };
  }

  #writesLong(request: PricedRequest): boolean {
    if (this.choice.ttl !== "recorded") return this.choice.ttl === "1h";
    const { write5m, write1h } = request;
    if (write5m + write1h > 0) return write1h > 0;
    return this.#pairs.get(request)?.lifetime === LIFETIMES.long;
  }
}

function same(read: Tokens): Reads {
  return { likely: read, most: read, least: read };
}

/** The share over all buckets that have one. */
function allOf(shares: BucketShares): Fraction | undefined {
  const known = shares.flatMap((share) => share ?? []);
  if (known.length === 0) return undefined;
  return known.reduce((sum, { part, whole }) => ({ part: sum.part + part, whole: sum.whole + whole }), {
    part: 0,
    whole: 0,
  });
}

/** A call of the model's API, as far as it is simulated. */
interface Call {
  readonly sent: Tokens;
  readonly output: Tokens;
  readonly reads: Reads;
  /** What is not read is not written either: nothing will be read of it. */
  readonly isPlain?: boolean;
}

function costOfCall(
  { entry, factor }: PricedRequest,
  rates: Rates,
  { sent, output, isPlain = false }: Call,
  read: Tokens,
  isLong: boolean,
): Cost {
  const rest = sent - read;
  const isAnthropic = entry?.provider === "anthropic";
  // Where a list has no price of its own for writing, what is not read is input like any other.
  const isWritten = !isPlain && (isAnthropic || rates.write5m !== rates.input);
  const one = (tokens: Tokens, price: number) => costOf([{ tokens, price }], factor);
  return {
    read: one(read, rates.read),
    write: isWritten ? one(rest, isAnthropic && isLong ? rates.write1h : rates.write5m) : 0,
    plain: isWritten ? 0 : one(rest, rates.input),
    output: one(output, rates.output),
  };
}
