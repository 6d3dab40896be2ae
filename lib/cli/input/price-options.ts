import type { CostTermsWire, CountingMode, ReplayRequest } from "@/lib/queries/contract/schemas";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import { splitPreset } from "./arguments";
import type { CountingOptions, ReadingOptions } from "./session-file";

/** The options that decide how costs are computed. */
export interface PriceOptions extends CostTerms {
  /** A file with the user's own prices. */
  readonly prices?: string;
}

/** Options of a replay, besides its policy. */
export interface ReplayingOptions extends ReadingOptions, CountingOptions, PriceOptions {
  readonly counting?: CountingMode;
  readonly json?: boolean;
}

/** A replay request. @param policy `ID` or `ID@PRESET` */
export function requestOf(
  policy: string,
  settings: ReplayRequest["settings"],
  { estimator, window, counting, ttl, on, priceDate }: ReplayingOptions,
): ReplayRequest {
  const { id, preset } = splitPreset(policy);
  return { policy: id, preset, settings, estimator, window, counting, ttl, on, priceDate };
}

/** The note on the meaning and limits of a cost. */
export const LIST_PRICES = "List prices, as over the API: not what was paid, and none of it on a subscription.";

/** The three cost terms, without the price file. */
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
