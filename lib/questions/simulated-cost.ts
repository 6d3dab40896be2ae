import { profileOf } from "@/lib/agents/profiles";
import type { SimulatedCostUsd } from "@/lib/api/types";
import type { Recording } from "@/lib/core/context/recording";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { type Cost, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { costBasis, type SimulatedCost, simulatedCost } from "@/lib/core/cost/simulated-cost";
import type { PriceList } from "@/lib/core/prices/price-list";
import type { RanReplay } from "./replay-result";

/** What a replay would have cost by list prices: docs/prices.md. `null` where a request has no price. */
export function toSimulatedCost(
  { prepared, replay }: RanReplay,
  { facts, columns }: Pick<Recording, "facts" | "columns">,
  prices: PriceList,
): SimulatedCostUsd | null {
  const requests = pricedRequests(columns, prices);
  const lowerBound = profileOf(facts.agent)?.outputIsLowerBound === true;
  const { context, shared, compactions } = replay;
  if (shared === undefined) return ofRecording(recordedCost(requests).cost, lowerBound);
  const rule = profileOf(prepared.policy.id)?.summaryCall;
  const basis = costBasis(columns, requests);
  const found = simulatedCost(basis, { context, shared, compactions }, rule?.sharesPrefix(prepared.settings));
  return found === undefined ? null : ofSimulation(found, lowerBound);
}

function ofRecording(cost: Cost | undefined, lowerBound: boolean): SimulatedCostUsd | null {
  if (cost === undefined) return null;
  const total = totalOf(cost);
  return { ...inDollars(cost, total), summaryCalls: null, ...bandOf(total, total), priced: true, lowerBound };
}

function ofSimulation({ cost, summaryCalls, low, high }: SimulatedCost, lowerBound: boolean): SimulatedCostUsd {
  const total = cost === undefined || summaryCalls === undefined ? undefined : totalOf(cost) + summaryCalls;
  const calls = summaryCalls === undefined ? null : dollarsOf(summaryCalls);
  return { ...inDollars(cost, total), summaryCalls: calls, ...bandOf(low, high), priced: true, lowerBound };
}

function inDollars(cost: Cost | undefined, total: MicroDollars | undefined) {
  const part = (amount: MicroDollars | undefined) => (amount === undefined ? null : dollarsOf(amount));
  const { read, write, plain, output } = cost ?? {};
  return { read: part(read), write: part(write), plain: part(plain), output: part(output), total: part(total) };
}

function bandOf(low: MicroDollars, high: MicroDollars) {
  return { low: dollarsOf(low), high: dollarsOf(high) };
}
