import type { Rates } from "../prices/model";
import type { Prices } from "../prices/prices";
import { factorOf, type PricedRequest } from "./priced-requests";

/**
 * Models, as written in the file, whose list prices changed during the session.
 * @param on model to price all requests as; then only its prices count
 */
export function repricedModels(requests: readonly PricedRequest[], on?: string): ReadonlySet<string> {
  const first = new Map<string, Rates>();
  const repriced = new Set<string>();
  for (const { model: recorded = "", ratesOf } of requests) {
    const model = on ?? recorded;
    const rates = ratesOf(0);
    if (rates === undefined) continue;
    if ((first.get(model) ?? rates) !== rates) repriced.add(model);
    first.set(model, first.get(model) ?? rates);
  }
  return repriced;
}

/** A model, and terms of its requests that have no listed price. */
interface UnpricedTerms {
  readonly model: string;
  readonly terms: string;
}

/**
 * Models with a listed price whose speed or service tier has none.
 * @param on the model by which all requests are priced, if one was chosen
 */
export function unpricedTerms(requests: readonly PricedRequest[], prices: Prices, on?: string): UnpricedTerms[] {
  const found = new Map<string, UnpricedTerms>();
  for (const { model: recorded, terms } of requests) {
    const model = on ?? recorded;
    const entry = model === undefined ? undefined : prices.find(model);
    if (model === undefined || entry === undefined || factorOf(entry, terms) !== undefined) continue;
    const words = [terms.speed, terms.serviceTier].filter((word) => word !== undefined).join(", ");
    found.set(JSON.stringify([model, words]), { model, terms: words });
  }
  return [...found.values()];
}
