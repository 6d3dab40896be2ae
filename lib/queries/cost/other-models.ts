import type { Share } from "@/lib/core/base/units";
import type { PriceEntry } from "@/lib/core/prices/model";
import type { PriceList } from "@/lib/core/prices/price-list";

/** Maximum number of other models that a query also assumes. */
const MAX_MODELS = 3;
/** Minimum distance between the shares of two models. */
const MIN_DISTANCE: Share = 0.02;

/**
 * Models of the same provider with another price ratio of cache reads to input than the session's own: only this ratio, not the price level, can
 * change advice on when to compact. One per ratio, the last of the list. Empty if a session's models have no price.
 */
export function modelsWithOtherCacheShare(models: readonly string[], prices: PriceList): readonly string[] {
  const own = models.flatMap((model) => prices.find(model) ?? []);
  const provider = own[0]?.provider;
  if (provider === undefined || provider === "other") return [];
  const known = own.flatMap((entry) => readShare(entry) ?? []);
  const found: string[] = [];
  // Later rows are of later models.
  for (const id of prices.ids.toReversed()) {
    const entry = prices.find(id);
    const share = entry?.provider === provider ? readShare(entry) : undefined;
    if (share === undefined || known.some((one) => Math.abs(one - share) < MIN_DISTANCE)) continue;
    known.push(share);
    found.push(id);
  }
  return found.slice(0, MAX_MODELS);
}

/** Price ratio of cache reads to input, by the latest rates; `undefined` if they are no longer in force. */
function readShare({ rates }: PriceEntry): Share | undefined {
  const last = rates.at(-1);
  const tier = last?.tiers[0];
  if (last === undefined || tier === undefined || last.until !== undefined || tier.input === 0) return undefined;
  return (tier.read ?? tier.input) / tier.input;
}
