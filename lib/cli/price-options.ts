import type { CostTermsWire } from "@/lib/api/contract";
import type { CostTerms } from "@/lib/questions/cost-terms";

/** The options that decide how costs are computed. */
export interface PriceOptions extends CostTerms {
  /** A file with the user's own prices. */
  readonly prices?: string;
}

/** The note that says what a cost is and what it is not. */
export const LIST_PRICES = "List prices, as over the API: not what was paid, and none of it on a subscription.";

/** Just the three cost terms, without the price file. */
export function costTermsOf({ ttl, on, priceDate }: PriceOptions): CostTerms {
  return { ttl, on, priceDate };
}

/** The notes that these terms require. */
export function termsNotes({ on, priceDate }: Pick<CostTermsWire, "on" | "priceDate">): readonly string[] {
  return [
    ...(on === null ? [] : [`Priced as ${on}; another model's tokenizer would have counted other tokens.`]),
    ...(priceDate === "recorded" ? [] : [`Prices of ${priceDate}, whenever the requests were.`]),
  ];
}
