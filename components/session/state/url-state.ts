"use client";

import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral, throttle } from "nuqs";
import type { SettingValue } from "@/lib/core/compaction/settings";

/** The whole state of the page lives in the address: a link reopens the same view. Words as in the command line. */

export const LENSES = ["timeline", "composition", "boundaries"] as const;
export type Lens = (typeof LENSES)[number];

export const GREY_BY = ["recorded", "policy"] as const;
export type GreyBy = (typeof GREY_BY)[number];

export const COUNTING_MODES = ["estimate", "calibrated", "anchored"] as const;

/**
 * The address follows within three of these (the adapter spreads its updates over three history calls); the page itself
 * follows every frame.
 */
const URL_INTERVAL_MS = 100;
export const URL_OPTIONS = { history: "replace", limitUrlUpdates: throttle(URL_INTERVAL_MS) } as const;

const natural = createParser({
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
  serialize: String,
});

/** Where one looks: lens, pinned request, selected item, visible requests, which context greys. */
export const VIEW_PARSERS = {
  lens: parseAsStringLiteral(LENSES).withDefault("timeline"),
  at: natural,
  item: natural,
  from: natural,
  to: natural,
  grey: parseAsStringLiteral(GREY_BY).withDefault("recorded"),
};

/** What is replayed. Absent: the default of the session. */
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

/** The value of `set.KEY`: JSON scalars as such, everything else as a word. */
export function parseSetting(text: string): NonNullable<SettingValue> {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
