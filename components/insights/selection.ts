import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { SWEEP_PARSERS } from "@/components/session/sweep/axes";
import { FILTER_KEYS, type Filters, filterRequest } from "@/components/sessions/filters";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { FACETS } from "@/lib/core/base/facet-keys";

/** The sessions of a query: the list's matching ones, or the ticked ones. */
export interface AskedSelection {
  readonly q?: string;
  readonly where: string[];
  readonly sessions?: string[];
}

/** The selection in the address. Ticked sessions are selected whatever the filters. */
export function askedSelection(filters: Filters, selected: readonly string[]): AskedSelection {
  if (selected.length > 0) return { where: [], sessions: [...selected] };
  const { q, where } = filterRequest(filters);
  return { ...(q === "" ? {} : { q }), where: [...where] };
}

/** True if two queries are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The address of the list with these filters and further conditions, for a mark of a chart. */
export function sessionsHref(
  search: URLSearchParams,
  more: Readonly<Record<string, string | readonly string[]>> = {},
): string {
  const query = new URLSearchParams();
  for (const key of FILTER_KEYS) {
    const value = search.get(key);
    if (value !== null && value !== "") query.set(key, value);
  }
  for (const [key, text] of Object.entries(more).flatMap(([key, texts]) =>
    [texts].flat().map((one) => [key, one] as const),
  )) {
    // Separators of values in the address are escaped within a value.
    const value = key === "where" ? text.replaceAll("~", "%7E") : text.replaceAll(",", "%2C");
    const before = key === "where" ? query.get(key) : null;
    query.set(key, before === null ? value : `${before}~${value}`);
  }
  const text = query.toString();
  return text === "" ? "/" : `/?${text}`;
}

/** Parts of the page's address besides the list's filters. */
export const INSIGHTS_PARSERS = {
  /** Groups of the charts. */
  by: parseAsStringLiteral(FACETS).withDefault("day"),
  /** The recommendation: policy and preset, the setting and its range, the metric to minimise, and the seed. */
  policy: parseAsString,
  preset: parseAsString,
  vary: SWEEP_PARSERS.vary,
  small: parseAsStringLiteral(ADVISED_BY).withDefault("cost"),
  seed: parseAsInteger.withDefault(1),
};
