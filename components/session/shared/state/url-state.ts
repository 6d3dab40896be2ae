import { createParser, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral, throttle } from "nuqs";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { ITEM_WORDS, PRESENCES } from "@/lib/core/columns/item-filter";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import { MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import { isPriceDate } from "@/lib/queries/cost/cost-terms";
import { SESSION_TABS } from "./tabs";

/** The whole state of the page is in the address, so that a link reopens the same view. It uses the command line's words. */

const GREY_BY = ["recorded", "policy"] as const;
export type GreyBy = (typeof GREY_BY)[number];

/** The contexts that the tabs next to the timeline can show. */
const SIDES = ["recorded", "policy"] as const;
export type Side = (typeof SIDES)[number];

const CONTRIBUTOR_SORTS = ["name", "tokens", "residency", "cost", "items", "growth"] as const;
export type ContributorSort = (typeof CONTRIBUTOR_SORTS)[number];

export const COUNTING_MODES = ["estimate", "calibrated", "anchored"] as const;

/**
 * The address catches up within three of these intervals, since the adapter spreads its updates over three history calls. The
 * page itself follows every frame.
 */
const URL_INTERVAL_MS = 100;
export const URL_OPTIONS = { history: "replace", limitUrlUpdates: throttle(URL_INTERVAL_MS) } as const;

const natural = createParser({
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
  serialize: String,
});

export type Against = number | "other";

const againstParser = createParser<Against>({
  parse: (text) => (text === "other" ? text : natural.parse(text)),
  serialize: String,
});

/** Unit of the timeline's axis: requests, or the time at which they were sent. */
export const AXES = ["request", "time"] as const;
export type Axis = (typeof AXES)[number];

/** Height of the timeline's axis: up to the largest context, or to the window. */
export const HEIGHTS = ["fit", "window"] as const;
export type Height = (typeof HEIGHTS)[number];

/** Views of the transcript: turn by turn, or item by item. */
export const LISTS = ["turns", "items"] as const;
export type ListBy = (typeof LISTS)[number];

/** The view: tab, pinned request, selected item, visible requests, and the context that greys the transcript. */
export const VIEW_PARSERS = {
  tab: parseAsStringLiteral(SESSION_TABS).withDefault("timeline"),
  at: natural,
  item: natural,
  from: natural,
  to: natural,
  axis: parseAsStringLiteral(AXES).withDefault("request"),
  /** If absent, the height that suits the session. */
  height: parseAsStringLiteral(HEIGHTS),
  /** True if the transcript has the whole page. */
  read: parseAsBoolean.withDefault(false),
  list: parseAsStringLiteral(LISTS).withDefault("turns"),
  grey: parseAsStringLiteral(GREY_BY).withDefault("recorded"),
  show: parseAsStringLiteral(SIDES).withDefault("recorded"),
  /** The selected breakdown: `ours` for this program's, or `ID@PRESET`; if absent, the one of the recording's own agent. */
  breakdown: parseAsString,
  /** The context to compare the composition with: at another request, or the other side's context at the same request. */
  against: againstParser,
  /** The text searched for in the session. */
  find: parseAsString,
};

/** Filters of the searched items: the names of API requests after `find.`. */
export const FIND_PARSERS = {
  "find.kind": parseAsStringLiteral(ITEM_WORDS),
  "find.tool": parseAsString,
  "find.file": parseAsString,
  "find.context": parseAsStringLiteral(PRESENCES),
};

/** Grouping and sorting of the contributors; `up` reverses the order of the sorted column. */
export const CONTRIBUTOR_PARSERS = {
  by: parseAsStringLiteral(GROUPINGS).withDefault("tool"),
  sort: parseAsStringLiteral(CONTRIBUTOR_SORTS).withDefault("residency"),
  up: parseAsBoolean.withDefault(false),
};

const priceDateParser = createParser({ parse: (text) => (isPriceDate(text) ? text : null), serialize: String });

export const COST_UNITS = ["usd", "tokens"] as const;
export type CostUnit = (typeof COST_UNITS)[number];

/** The cache TTL: as recorded, or the same one for all writes. */
export const TTL_CHOICES = ["recorded", "5m", "1h"] as const;
export type TtlChoice = (typeof TTL_CHOICES)[number];

/** Steps of the cost waterfall that are not a cause of cache misses. */
const COST_STEPS = ["warm", "output", "total"] as const;

/** Prices of costs, with the names of API requests and of the command line. */
export const COST_TERMS_PARSERS = {
  ttl: parseAsStringLiteral(TTL_CHOICES).withDefault("recorded"),
  /** The model that all requests are priced as; if absent, each request's own. */
  on: parseAsString,
  /** `recorded`, `today`, or a day. */
  priceDate: priceDateParser.withDefault("recorded"),
};

/** View of the costs. `cause` limits the list of cache misses to one cause; `step` lists the requests of another step. */
export const COST_PARSERS = {
  unit: parseAsStringLiteral(COST_UNITS).withDefault("usd"),
  ttl: COST_TERMS_PARSERS.ttl,
  cause: parseAsStringLiteral(MISS_CAUSES),
  step: parseAsStringLiteral(COST_STEPS),
};

/** The replay. Absent choices take the session's default. */
export const REPLAY_PARSERS = {
  policy: parseAsString,
  preset: parseAsString,
  estimator: parseAsString,
  counting: parseAsStringLiteral(COUNTING_MODES),
  window: parseAsInteger,
};

/** A setting as the command line writes it: a number, true or false, else a word. */
export const settingParser = createParser<NonNullable<SettingValue>>({
  parse: parseSetting,
  serialize: String,
});

/** The value of `set.KEY`: JSON scalars keep their type, any other text is a word. */
export function parseSetting(text: string): NonNullable<SettingValue> {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
