import type { Milliseconds } from "./units";

/**
 * A day can begin somewhere every 15 minutes: all current time zones differ from UTC by whole quarters of an hour. Source: IANA time zone database.
 */
export const QUARTER_MS: Milliseconds = 15 * 60_000;
const QUARTERS_A_DAY = 96;
/** Last time that a JavaScript date can represent. Source: ECMA-262, "Time Values and Time Range". */
const LAST_MS: Milliseconds = 8.64e15;

/** Time zone of this program: from `TZ`, else from the machine, else UTC. */
export function ownTimeZone(): string {
  // `timeZone` has two values that its type does not allow: `undefined` for an invalid `TZ`, and for an empty one `Etc/Unknown`, which `Intl` itself
  // rejects.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string };
  return timeZone !== undefined && isTimeZone(timeZone) ? timeZone : "UTC";
}

/** True if the IANA time zone database has the name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false; // `Intl.DateTimeFormat` throws for an unknown name.
  }
}

/** Returns the day in a time zone, such as 2026-01-31, for a quarter of an hour since 1970. `timeZone` must be valid. */
export class ZoneDays {
  readonly #format: Intl.DateTimeFormat;
  /** For each UTC day: the local dates at its beginning and its end, and the quarter in which the second date begins. */
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

  /** Formats a few dates per day only, because formatting a date takes a thousand times as long as looking it up. */
  #divided(utcDay: number) {
    let low = utcDay * QUARTERS_A_DAY;
    let high = low + QUARTERS_A_DAY;
    const first = this.#formatted(low);
    const last = this.#formatted(high - 1);
    // Binary search for the first quarter with the second date.
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
