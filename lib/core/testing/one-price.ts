import { PriceList } from "../prices/price-list";
import { rates } from "../prices/rates";

/** A price list of one model `m`, whose provider is Anthropic, with these prices: input, read, written for five minutes and for an hour, output. */
export function onePrice(prices: readonly [number, number, number, number, number]): PriceList {
  const entry = { ids: ["m"], provider: "anthropic", rates: [{ tiers: [rates(...prices)] }] } as const;
  return new PriceList([[{ ...entry, source: "drawn", seen: "2026-09-01" }]]);
}
