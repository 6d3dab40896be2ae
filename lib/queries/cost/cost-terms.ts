import type { Lifetime } from "@/lib/core/cost/cache-model";
import type { PriceChoice } from "@/lib/core/cost/priced-requests";
import type { Prices } from "@/lib/core/prices/prices";
import { ChoiceError } from "../session/session-context";

/** How costs are reckoned: the same three choices everywhere, by these names in requests, in addresses, and as `--ttl`, `--on` and `--price-date`. */
export interface CostTerms {
  /** How long what is written to a cache is kept; as recorded by default. */
  readonly ttl?: Lifetime | undefined;
  /** The model that all requests are priced as. */
  readonly on?: string | undefined;
  /** Whose day's prices: `recorded`, each request's own (default), `today`, or a day, as `2026-09-01`. */
  readonly priceDate?: string | undefined;
}

/** The prices that are asked for. Throws `ChoiceError` for a model without a price and for a day that is none. */
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

/** Whether a text says whose day's prices are taken. */
export function isPriceDate(text: string): boolean {
  return text === "recorded" || text === "today" || isDay(text);
}

/** Whether a text is a day of the calendar, in UTC: 2026-02-30 is none. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
