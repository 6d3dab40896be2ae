import { PriceList } from "../prices/price-list";
import { rates } from "../prices/rates";

type OnePrice = readonly [number, number, number, number, number];

/**
 * A list of one model `m` of Anthropic's kind with these prices: input, read, written for 5 minutes and for an hour, output.
 * @param limits request sizes from which they apply, as if each were a tier of its own
 */
export function onePrice(prices: OnePrice, limits: readonly number[] = [0]): PriceList {
  const tiers = limits.map((from) => rates(...prices, from));
  const entry = { ids: ["m"], provider: "anthropic", rates: [{ tiers }] } as const;
  return new PriceList([[{ ...entry, source: "drawn", seen: "2026-09-01" }]]);
}
