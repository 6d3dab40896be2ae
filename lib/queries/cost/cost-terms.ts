import type { Ttl } from "@/lib/core/cost/cache-model";
import type { PriceChoice } from "@/lib/core/cost/priced-requests";
import type { Prices } from "@/lib/core/prices/prices";
import { ChoiceError } from "../session/session-context";

/** Pricing terms: the same three choices everywhere, with these names in requests and URLs, and as `--ttl`, `--on` and `--price-date`. */
export interface CostTerms {
  /** Cache TTL; default: as recorded. */
  readonly ttl?: Ttl | undefined;
  /** The model that all requests are priced as. */
  readonly on?: string | undefined;
  /** Day of the prices: `recorded`, each request's own (default), `today`, or a day, as `2026-09-01`. */
  readonly priceDate?: string | undefined;
}

/** The requested prices. Throws `ChoiceError` for a model without a price and for an invalid day. */
export function priceChoice({ on, priceDate = "recorded" }: Omit<CostTerms, "ttl">, prices: Prices): PriceChoice {
  if (on !== undefined && prices.find(on) === undefined) throw new ChoiceError(`There is no price of a model ${on}.`);
  return { on, day: dayOf(priceDate) };
}

function dayOf(priceDate: string): number | undefined {
  if (priceDate === "recorded") return undefined;
  const day = priceDate === "today" ? new Date().toISOString().slice(0, 10) : priceDate;
  if (!isDay(day)) throw new ChoiceError("The date of prices is recorded, today, or a day as 2026-09-01.");
  return Date.parse(day);
}

/** True if a text is a valid price day. */
export function isPriceDate(text: string): boolean {
  return text === "recorded" || text === "today" || isDay(text);
}

/** True if a text is a calendar day in UTC: 2026-02-30 is not one. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
