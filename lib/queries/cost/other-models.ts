import type { Share } from "@/lib/core/base/units";
import type { PriceEntry } from "@/lib/core/prices/model";
import type { PriceList } from "@/lib/core/prices/price-list";

/** The most other models that a question is also asked for, and how far their shares are apart. */
const MOST = 3;
const APART: Share = 0.02;

/**
 * Models of the same provider on which reading from the cache costs another share of the input than on a session's own: only that, and not the height of the
 * prices, turns advice on when to compact. One for each share, the last of the list. Empty where a session's models have no price.
 */
export function cachePricedOtherwise(models: readonly string[], prices: PriceList): readonly string[] {
  const own = models.flatMap((model) => prices.find(model) ?? []);
  const provider = own[0]?.provider;
  if (provider === undefined || provider === "other") return [];
  const known = own.flatMap((entry) => readShare(entry) ?? []);
  const found: string[] = [];
  // Later rows are of later models.
  for (const id of prices.ids.toReversed()) {
    const entry = prices.find(id);
    const share = entry?.provider === provider ? readShare(entry) : undefined;
    if (share === undefined || known.some((one) => Math.abs(one - share) < APART)) continue;
    known.push(share);
    found.push(id);
  }
  return found.slice(0, MOST);
}

/** What reading a token costs of what sending it costs, by the rates that came last; `undefined` where they are no longer in force. */
function readShare({ rates }: PriceEntry): Share | undefined {
  const last = rates.at(-1);
  const tier = last?.tiers[0];
  if (last === undefined || tier === undefined || last.until !== undefined || tier.input === 0) return undefined;
  return (tier.read ?? tier.input) / tier.input;
}
