import type { SessionColumns } from "@/lib/core/columns/columns";
import { type Bill, type BilledColumns, type BillPart, billOf } from "@/lib/core/cost/bill";
import { type CacheMisses, cacheMisses, type MissCause, missesByCause } from "@/lib/core/cost/cache-misses";
import { checkCacheRule, ruleMisses } from "@/lib/core/cost/cache-rule";
import { costOf, dollarsOf } from "@/lib/core/cost/money";
import { costWithTtl } from "@/lib/core/cost/other-ttl";
import { repricedModels, unpricedTerms } from "@/lib/core/cost/price-changes";
import { type PricedRequest, pricedRequests } from "@/lib/core/cost/priced-requests";
import { inputOf, NO_COST, type RecordedCost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import type { Prices } from "@/lib/core/prices/prices";
import type { BillWire, Cost as CostAnswer, CostUsd, SessionSummary } from "@/lib/queries/contract/types";
import { withUnpriced } from "@/lib/queries/wire/least";
import {
  boundaryCostWire,
  type CompactedSession,
  mostExpensiveWire,
  recordedBoundaries,
  whatIfWire,
} from "./cost-reasons";
import { type CostTerms, priceChoice } from "./cost-terms";

/** The price of a web search, in micro-dollars. Source: platform.claude.com, about-claude/pricing: $10 per 1,000 searches. */
const SEARCH = 10_000;

/** Data of a session besides its requests. */
type CostedSession = CompactedSession &
  Pick<SessionSummary, "file" | "sessionId"> &
  Partial<Pick<SessionSummary, "problems" | "links">>;

function impossibleOf(problems: SessionSummary["problems"]): number {
  return problems.reduce((sum, { code, count }) => (code === "impossible-figure" ? sum + count : sum), 0);
}

/** Cost of a session at list prices: docs/prices.md. Throws `ChoiceError` for a model without a price. */
export function toCost(
  session: CostedSession,
  columns: SessionColumns,
  prices: Prices,
  { ttl = "recorded", on, priceDate = "recorded" }: CostTerms = {},
): CostAnswer {
  const choice = priceChoice({ on, priceDate }, prices);
  const requests = pricedRequests(columns, prices, choice);
  const bill = billOf(columns, prices, choice);
  const billed = bill.billed?.priced ?? [];
  const { cost, priced, byModel, writesRecorded } = billedCost(bill);
  const misses = cacheMisses(columns, requests);
  const lowerBound = bill.billed?.isPartial === true;
  const costed = { session, columns, requests, misses };
  const withTtl = ttl === "recorded" ? undefined : costWithTtl(columns, requests, ttl);
  return {
    file: session.file,
    sessionId: session.sessionId,
    requests: requests.length,
    costUsd: toCostUsd({ cost, byModel, writesRecorded }, lowerBound, on),
    bill: toBill(bill, session.links?.parents ?? [], on),
    priced: billed.length === 0 ? null : priced / billed.length,
    byModel: Object.fromEntries(
      Array.from(byModel, ([model, one]) => [
        model,
        { requests: one.requests, ...partsOf({ cost: one.cost, writesRecorded }) },
      ]),
    ),
    breaks: misses === undefined ? null : misses.misses.map(missWire),
    breaksByCause: misses === undefined ? null : toCauses(misses),
    cacheRule: toCacheRule(columns, requests),
    dearest: mostExpensiveWire(costed),
    boundaries: recordedBoundaries(costed, bill.compactions?.priced ?? []).map(boundaryCostWire),
    whatIf: whatIfWire(costed),
    ownCost: toOwnCost(billed),
    undividedWrites: billed.filter(isUndivided).length,
    webSearches: searchesOf(billed),
    sidechains: toSidechains(bill.subagents, on),
    repriced: [...repricedModels(billed, on)],
    unpricedTerms: unpricedTerms(billed, prices, on),
    impossibleFigures: impossibleOf(session.problems ?? []),
    prices: pricesOf(billed, prices, on),
    on: on ?? null,
    priceDate,
    withTtl:
      ttl === "recorded"
        ? null
        : { ttl, costUsd: toCostUsd({ cost: withTtl, byModel, writesRecorded }, lowerBound, on) },
  };
}

/** Only the effect of another schedule or TTL. @param requests at the requested prices */
export function whatIfOf(
  session: CompactedSession,
  columns: SessionColumns,
  requests: readonly PricedRequest[],
): CostAnswer["whatIf"] {
  return whatIfWire({ session, columns, requests });
}

export function costOfSummary(
  { links }: Pick<SessionSummary, "links">,
  columns: BilledColumns,
  prices: Prices,
): { readonly costUsd: CostUsd; readonly bill: BillWire } {
  const bill = billOf(columns, prices);
  const lowerBound = bill.billed?.isPartial === true;
  return {
    costUsd: toCostUsd(billedCost(bill), lowerBound),
    bill: toBill(bill, links.parents),
  };
}

/** Cost that the session itself paid: nothing if all of its requests are inherited, unknown if it has none. */
function billedCost({ billed, inherited }: Bill): RecordedCost {
  const known = recordedCost(billed?.priced ?? []);
  return billed === undefined && inherited !== undefined ? { ...known, cost: NO_COST } : known;
}

function toBill(
  { own, inherited, branches, compactions, subagents, passes }: Bill,
  parents: SessionSummary["links"]["parents"],
  on?: string,
): BillWire {
  const part = (one: BillPart | undefined) => (one === undefined ? null : toPart(one, on));
  return {
    own: part(own),
    inherited:
      inherited === undefined
        ? null
        : { ...toPart(inherited, on), from: [...new Set(parents.map(({ session }) => session))] },
    branches: part(branches),
    compactions: part(compactions),
    subagents: part(subagents),
    passes: part(passes),
  };
}

function toPart({ requests, usage, priced, isPartial }: BillPart, on?: string) {
  const { input = null, output = null, cacheRead = null, cacheWrite = null, reasoning = null } = usage;
  return {
    requests,
    usage: { input, output, cacheRead, cacheWrite, reasoning },
    costUsd: toCostUsd(recordedCost(priced), isPartial, on),
  };
}

/** Uncached tokens of one cause, although a cache held them. */
export interface MissSum {
  readonly cause: MissCause;
  readonly count: number;
  readonly tokens: number;
  /** Dollars; `null` if a request has no price. */
  readonly usd: number | null;
}

/** Costs; `writesRecorded` tells unknown cache writes from none. */
type KnownCost = Pick<RecordedCost, "cost" | "writesRecorded">;

/** @param on model to price all requests as, if the user chose one */
function toCostUsd(known: KnownCost & Pick<RecordedCost, "byModel">, lowerBound: boolean, on?: string): CostUsd {
  const { cost, byModel } = known;
  const input = cost === undefined ? null : dollarsOf(inputOf(cost));
  const unpriced = Array.from(byModel, ([model, one]) => (one.cost === undefined ? (on ?? model) : ""));
  return { ...partsOf(known), input, lowerBound: cost === undefined ? null : lowerBound, ...withUnpriced(unpriced) };
}

/** If a file states no cache writes, that part is `null`; in the total it counts as 0. */
function partsOf({ cost, writesRecorded }: KnownCost): Omit<CostUsd, "input" | "lowerBound"> {
  if (cost === undefined) return { read: null, write: null, plain: null, output: null, total: null };
  const { read, write, plain, output } = cost;
  return {
    read: dollarsOf(read),
    write: writesRecorded ? dollarsOf(write) : null,
    plain: dollarsOf(plain),
    output: dollarsOf(output),
    total: dollarsOf(totalOf(cost)),
  };
}

function missWire({ request, cause, tokens, cost, gap, reason }: CacheMisses["misses"][number]) {
  const usd = cost === undefined ? null : dollarsOf(cost);
  return { request, cause, tokens, usd, gap: Number.isNaN(gap) ? null : gap, reason: reason ?? null };
}

function toCauses(misses: CacheMisses): NonNullable<CostAnswer["breaksByCause"]> {
  const sums = Array.from(missesByCause(misses), ([cause, { count, tokens, cost }]) => [
    cause,
    { count, tokens, usd: cost === undefined ? null : dollarsOf(cost) },
  ]);
  return { ...Object.fromEntries(sums), growth: { tokens: misses.growth } };
}

function toCacheRule(columns: SessionColumns, requests: readonly PricedRequest[]): CostAnswer["cacheRule"] {
  const rule = checkCacheRule(columns, requests);
  if (rule === undefined) return null;
  const misses = ruleMisses(columns, requests).map((miss) => ({ ...miss }));
  return { ...rule, costError: rule.costError ?? null, misses };
}

function toSidechains(subagents: BillPart | undefined, on: string | undefined): CostAnswer["sidechains"] {
  if (subagents === undefined) return null;
  const { requests, costUsd } = toPart(subagents, on);
  return { requests, costUsd };
}

/** True if a request's writes should be divided by TTL but are not. Only a provider that sells TTLs has writes to divide. */
function isUndivided({ write5m, writesDivided, entry }: PricedRequest): boolean {
  return write5m > 0 && !writesDivided && entry?.provider === "anthropic";
}

function searchesOf(requests: readonly PricedRequest[]): CostAnswer["webSearches"] {
  const count = requests.reduce((sum, { webSearches }) => sum + webSearches, 0);
  const known = requests.every(({ webSearches, entry }) => webSearches === 0 || entry?.provider === "anthropic");
  return { count, usd: known ? dollarsOf(count * SEARCH) : null };
}

/** Maximum rounding difference between two sums of one request, in micro-dollars: one for each of its parts. */
const ROUNDING = 4;

function toOwnCost(requests: readonly PricedRequest[]): CostAnswer["ownCost"] {
  const stated = requests.filter(({ ownCost }) => !Number.isNaN(ownCost));
  if (stated.length === 0) return null;
  const own = stated.reduce((sum, { ownCost }) => sum + ownCost, 0);
  const { cost } = recordedCost(stated);
  const reasoning = stated.reduce((sum, request) => sum + reasoningCost(request), 0);
  const missing = cost === undefined ? Number.NaN : own * 1e6 - totalOf(cost);
  const reasoningTwice = reasoning > 0 && Math.abs(missing - reasoning) <= ROUNDING * stated.length;
  return { requests: stated.length, own, ours: cost === undefined ? null : dollarsOf(totalOf(cost)), reasoningTwice };
}

function reasoningCost({ rates, factor, reasoning }: PricedRequest): number {
  return rates === undefined ? 0 : costOf([{ tokens: reasoning, price: rates.output }], factor);
}

/** Sources of the models' prices, each once. */
function pricesOf(requests: readonly PricedRequest[], prices: Prices, on: string | undefined): CostAnswer["prices"] {
  const models = on === undefined ? new Set(requests.map(({ model }) => model ?? "")) : new Set([on]);
  return [...models].flatMap((model) => {
    const entry = prices.find(model);
    return entry === undefined ? [] : [{ model, source: entry.source, seen: entry.seen }];
  });
}
