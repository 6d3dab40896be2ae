import { PriceList } from "../prices/price-list";
import { rates } from "../prices/rates";

/** A list of one model `m` of Anthropic's kind with these prices: input, read, written for 5 minutes and for an hour, output. */
export function onePrice(prices: readonly [number, number, number, number, number]): PriceList {
  const entry = { ids: ["m"], provider: "anthropic", rates: [{ tiers: [rates(...prices)] }] } as const;
  return new PriceList([[{ ...entry, source: "drawn", seen: "2026-09-01" }]]);
}
