import type { CostTermsWire } from "@/lib/api/contract";
import type { CostTerms } from "@/lib/questions/cost-terms";

/** By what costs are reckoned. */
export interface PriceOptions extends CostTerms {
  /** File of the user's own prices. */
  readonly prices?: string;
}

/** What a cost is, and what it is not. */
export const LIST_PRICES = "List prices, as over the API: not what was paid, and none of it on a subscription.";

/** The three choices alone. */
export function costTermsOf({ ttl, on, priceDate }: PriceOptions): CostTerms {
  return { ttl, on, priceDate };
}

/** What is to be said of them. */
export function termsNotes({ on, priceDate }: Pick<CostTermsWire, "on" | "priceDate">): readonly string[] {
  return [
    ...(on === null ? [] : [`Priced as ${on}; another model's tokenizer would have counted other tokens.`]),
    ...(priceDate === "recorded" ? [] : [`Prices of ${priceDate}, whenever the requests were.`]),
  ];
}
