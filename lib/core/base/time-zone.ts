import type { Milliseconds } from "./units";

/** Minutes after which a new day may begin somewhere: all time zones in use are whole quarters of an hour from UTC. Source: IANA time zone database. */
export const QUARTER_MS: Milliseconds = 15 * 60_000;
const QUARTERS_A_DAY = 96;
/** The last time that a date can be told of. Source: ECMA-262, "Time Values and Time Range". */
const LAST_MS: Milliseconds = 8.64e15;

/** The time zone of this program: that of `TZ`, else of the machine; UTC where that is none, since clocks show UTC then. */
export function ownTimeZone(): string {
  // The type does not say so, but it is `undefined` for a `TZ` that is no zone, and `Etc/Unknown`, which `Intl` itself refuses, for an empty one.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string };
  return timeZone !== undefined && isTimeZone(timeZone) ? timeZone : "UTC";
}

/** Whether a name is one of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false; // It throws for a name that it does not know.
  }
}

/** Tells the days of a time zone, as 2026-01-31, by quarters of an hour since 1970. `timeZone` must be one. */
export class ZoneDays {
  readonly #format: Intl.DateTimeFormat;
  /** By UTC day: the days at its beginning and its end, and the quarter with which the second one begins. */
  readonly #known = new Map<number, { readonly first: string; readonly last: string; readonly from: number }>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
    });
  }

  dayOf(quarter: number): string {
    const utcDay = Math.floor(quarter / QUARTERS_A_DAY);
    const known = this.#known.get(utcDay) ?? this.#divided(utcDay);
    this.#known.set(utcDay, known);
    return quarter < known.from ? known.first : known.last;
  }

  /** Dates are asked for a few times a day, since formatting one takes a thousand times as long as looking it up. */
  #divided(utcDay: number) {
    let low = utcDay * QUARTERS_A_DAY;
    let high = low + QUARTERS_A_DAY;
    const first = this.#formatted(low);
    const last = this.#formatted(high - 1);
    // Searches the first quarter with another date than the first one.
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (middle < high && this.#formatted(middle) === first) low = middle + 1;
      else high = middle;
    }
    return { first, last, from: low };
  }

  #formatted(quarter: number): string {
    const at = Math.max(-LAST_MS, Math.min(LAST_MS, quarter * QUARTER_MS));
    const parts = Object.fromEntries(this.#format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year = "", month = "", day = "" } = parts;
    return `${year.padStart(4, "0")}-${month}-${day}`;
  }
}
