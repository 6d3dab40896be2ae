import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { SWEEP_PARSERS } from "@/components/session/sweep/axes";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { FACETS } from "@/lib/core/base/facet-keys";

/** What the address of the page holds beside the list's filters. */
export const INSIGHTS_PARSERS = {
  /** What the charts are divided by. */
  by: parseAsStringLiteral(FACETS).withDefault("day"),
  /** The recommendation: policy and preset, the setting and its range, what is to be small, and the seed. */
  policy: parseAsString,
  preset: parseAsString,
  vary: SWEEP_PARSERS.vary,
  small: parseAsStringLiteral(ADVISED_BY).withDefault("cost"),
  seed: parseAsInteger.withDefault(1),
};
