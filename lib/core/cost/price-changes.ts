import type { Rates } from "../prices/model";
import type { PricedRequest } from "./priced-requests";

/**
 * The models, as the file writes them, whose list had other prices at some of the session's requests than at others.
 * @param on the model that all requests are priced as, if it is another one: then only its prices can have changed
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
