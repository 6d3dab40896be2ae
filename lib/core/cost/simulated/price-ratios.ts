import type { PriceRatios } from "../../compaction/policy/policy";
import type { Rates } from "../../prices/model";
import type { Ttl } from "../cache-model";
import type { PricedRequest } from "../priced-requests";

/**
 * Token prices of a session as multiples of the price of a cache read, by the rates of most of its requests; if the size matters, by the rates of
 * small requests. `undefined` if no request has a price. The cache TTL is that of most written tokens.
 */
export function priceRatios(requests: readonly PricedRequest[], ttl: Ttl): PriceRatios | undefined {
  const isLong = ttl === "recorded" ? writesForLong(requests) : ttl === "1h";
  // Requests of one price share their rates.
  const requestsOf = new Map<Rates, number>();
  for (const { tiers } of requests) {
    const rates = tiers[0]?.rates;
    if (rates !== undefined && rates.read > 0) requestsOf.set(rates, (requestsOf.get(rates) ?? 0) + 1);
  }
  const counts = new Map<string, { readonly ratios: PriceRatios; count: number }>();
  for (const [rates, count] of requestsOf) {
    const ratio = (price: number) => Math.round((price / rates.read) * 100) / 100;
    const write = ratio(isLong ? rates.write1h : rates.write5m);
    const ratios = { write, input: ratio(rates.input), output: ratio(rates.output) };
    const key = Object.values(ratios).join(" ");
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ratios, count });
    else known.count += count;
  }
  const most = Math.max(...Array.from(counts.values(), ({ count }) => count));
  return [...counts.values()].find(({ count }) => count === most)?.ratios;
}

function writesForLong(requests: readonly PricedRequest[]): boolean {
  return requests.reduce((sum, { write1h, write5m }) => sum + write1h - write5m, 0) > 0;
}
