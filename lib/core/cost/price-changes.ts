import type { Rates } from "../prices/model";
import type { PricedRequest } from "./priced-requests";

/** The models, as the file writes them, whose list had other prices at some of the session's requests than at others. */
export function repricedModels(requests: readonly PricedRequest[]): ReadonlySet<string> {
  const first = new Map<string, Rates>();
  const repriced = new Set<string>();
  for (const { model = "", ratesOf } of requests) {
    const rates = ratesOf(0);
    if (rates === undefined) continue;
    if ((first.get(model) ?? rates) !== rates) repriced.add(model);
    first.set(model, first.get(model) ?? rates);
  }
  return repriced;
}
