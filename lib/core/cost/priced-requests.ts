import type { Milliseconds, RequestIndex, Tokens } from "../base/units";
import { type RequestTermsRow, recordedContext, type SessionColumns } from "../columns/columns";
import type { PriceEntry, Rates } from "../prices/model";
import { plainModelId } from "../prices/model-id";
import type { Prices } from "../prices/prices";
import { ratesAt, ratesOfSize, type SizedRates, sizedRates } from "../prices/rates-at";

/** Input tokens of a request, by price. */
export interface SentTokens {
  readonly read: Tokens;
  readonly write5m: Tokens;
  readonly write1h: Tokens;
  /** Neither read from a cache nor written to one. */
  readonly plain: Tokens;
}

/** A main-chain request with recorded usage, and the prices of its tokens. */
export interface PricedRequest extends SentTokens {
  readonly request: RequestIndex;
  /** As the file writes it. */
  readonly model: string | undefined;
  /** Shortest spelling of the model, which all its names share. */
  readonly modelId: string | undefined;
  /** Time that decides its price; NaN without one. */
  readonly at: Milliseconds;
  readonly output: Tokens;
  /** All sent tokens. */
  readonly sent: Tokens;
  /** True if the file states its cache reads. */
  readonly readsRecorded: boolean;
  /** True if the file states its cache writes. */
  readonly writesRecorded: boolean;
  /** True if the file divides its cache writes by TTL. */
  readonly writesDivided: boolean;
  readonly terms: RequestTermsRow;
  readonly webSearches: number;
  /** Cost in dollars as stated by the file; NaN if it states none. */
  readonly ownCost: number;
  readonly reasoning: Tokens;
  /** Price entry of the recorded model, which also decides the rules of its cache. */
  readonly entry: PriceEntry | undefined;
  /** Chosen rates, and the factor on them; `undefined` if the request has no price. */
  readonly rates: Rates | undefined;
  readonly factor: number;
  /** Possible rates by size of the request; empty if it has no price. */
  readonly tiers: readonly SizedRates[];
  /** Returns the rates for this many sent tokens. */
  readonly ratesOf: (sent: Tokens) => Rates | undefined;
}

/** Choice of prices; by default the prices of the recorded model at the request's own time. */
export interface PriceChoice {
  /** Another model for all requests. Tokenizers differ: that model would have counted the same text differently. */
  readonly on?: string | undefined;
  /** One day for all requests, given as its start in UTC; each request keeps its time of day. */
  readonly day?: Milliseconds | undefined;
}

const NO_TERMS: RequestTermsRow = {};

/** Main-chain requests with recorded usage, in order. Source: docs/prices.md, "Cost of a request". */
export function pricedRequests(
  columns: Pick<SessionColumns, "requests" | "tables">,
  prices: Prices,
  choice: PriceChoice = {},
): readonly PricedRequest[] {
  const requests: PricedRequest[] = [];
  // Most sessions have one model, whose name is simplified once.
  const ids = columns.tables.models.map(plainModelId);
  for (let request = 0; request < columns.requests.length; request++) {
    const sent = recordedContext(columns, request);
    if (sent > 0) requests.push(pricedRequest(columns, ids, request, sent, prices, choice));
  }
  return requests;
}

/**
 * Same requests at other prices.
 * @param prices the list by which they were priced
 */
export function repriced(
  requests: readonly PricedRequest[],
  prices: Prices,
  choice: PriceChoice,
): readonly PricedRequest[] {
  return requests.map((request) => {
    const { rates, factor, tiers, ratesOf } = priceOf(request, prices, choice);
    return { ...request, rates, factor, tiers, ratesOf };
  });
}

function pricedRequest(
  { requests, tables }: Pick<SessionColumns, "requests" | "tables">,
  ids: readonly string[],
  request: RequestIndex,
  sent: Tokens,
  prices: Prices,
  choice: PriceChoice,
): PricedRequest {
  const written = Math.max(0, requests.cacheWrite[request] ?? 0);
  const write1h = requests.cacheWrite1h[request] ?? -1;
  const read = requests.cacheRead[request] ?? -1;
  const model = tables.models[requests.model[request] ?? -1];
  const terms = tables.terms[requests.terms[request] ?? -1] ?? NO_TERMS;
  const at = requests.billedAt[request] ?? Number.NaN;
  const entry = model === undefined ? undefined : prices.find(model);
  const { rates, factor, tiers, ratesOf } = priceOf({ at, entry, sent, terms }, prices, choice);
  return {
    request,
    model,
    modelId: ids[requests.model[request] ?? -1],
    at,
    read: Math.max(0, read),
    write5m: written - Math.max(0, write1h),
    write1h: Math.max(0, write1h),
    plain: Math.max(0, requests.input[request] ?? 0),
    output: Math.max(0, requests.output[request] ?? 0),
    sent,
    readsRecorded: read >= 0,
    writesRecorded: (requests.cacheWrite[request] ?? -1) >= 0,
    writesDivided: write1h >= 0,
    terms,
    webSearches: Math.max(0, requests.webSearches[request] ?? 0),
    ownCost: requests.ownCost[request] ?? Number.NaN,
    reasoning: Math.max(0, requests.reasoning[request] ?? 0),
    entry,
    rates,
    factor,
    tiers,
    ratesOf,
  };
}

/** Price of a request under the choice. */
function priceOf(
  { at, entry, sent, terms }: Pick<PricedRequest, "at" | "entry" | "sent" | "terms">,
  prices: Prices,
  choice: PriceChoice,
): Pick<PricedRequest, "rates" | "factor" | "tiers" | "ratesOf"> {
  const chosen = choice.on === undefined ? entry : prices.find(choice.on);
  const factor = chosen === undefined ? undefined : factorOf(chosen, terms);
  const isPriced = chosen !== undefined && factor !== undefined;
  const tiers = sizedRates(isPriced ? ratesAt(chosen, timeOn(choice.day, at)) : undefined);
  const ratesOf = ratesOfTiers(tiers);
  return { rates: ratesOf(sent), factor: factor ?? 1, tiers, ratesOf };
}

/** Requests of one price share the function, because thousands of them are in memory at once. */
const ratesByTiers = new WeakMap<readonly SizedRates[], PricedRequest["ratesOf"]>();

function ratesOfTiers(tiers: readonly SizedRates[]): PricedRequest["ratesOf"] {
  const known = ratesByTiers.get(tiers) ?? ((sent: Tokens) => ratesOfSize(tiers, sent));
  ratesByTiers.set(tiers, known);
  return known;
}

const DAY = 86_400_000;

/** Time of a request on another day. */
function timeOn(day: Milliseconds | undefined, at: Milliseconds): Milliseconds {
  if (day === undefined) return at;
  return Number.isNaN(at) ? day : day + (at % DAY);
}

/** Service tiers at half price. Source: platform.claude.com, batch processing; developers.openai.com, pricing of batch and flex. */
const HALF_TIERS = new Set(["batch", "flex"]);
/** Service tiers at the listed price. */
const USUAL_TIERS = new Set(["standard", "default", "auto"]);
/** OpenAI's names of its faster tier: `priority`, renamed to fast mode in July 2026. */
const FAST_TIERS = new Set(["priority", "fast"]);

/** Factor on a request's rates; `undefined` if its speed or service tier has no known price. */
export function factorOf(entry: PriceEntry, { speed, serviceTier, inferenceGeo }: RequestTermsRow): number | undefined {
  const fast = speed === undefined ? 1 : speed === "fast" ? entry.fast : undefined;
  const tier = tierFactor(entry, serviceTier);
  if (fast === undefined || tier === undefined) return undefined;
  const region = inferenceGeo === "us" ? (entry.usOnly ?? 1) : 1;
  return fast * region * tier;
}

/** Anthropic's priority tier is capacity bought in advance, with no list price: the usual price applies. Source: docs/prices.md. */
function tierFactor({ provider, fast }: PriceEntry, tier: string | undefined): number | undefined {
  if (tier === undefined || USUAL_TIERS.has(tier)) return 1;
  if (HALF_TIERS.has(tier)) return 0.5;
  if (provider === "anthropic") return 1;
  return FAST_TIERS.has(tier) ? fast : undefined;
}
