/** Formats numbers and times for one language. Absent values are not passed here: `Value` writes them as `n/a`. */
export interface Format {
  /** An exact count, with separators: 156,579. */
  readonly count: (value: number) => string;
  /** A signed difference: +20,215, −17, ±0. */
  readonly difference: (value: number) => string;
  /** Short, for charts and axes: 950, 40.7k, 200k, 1.2M. Show the exact value on hover. */
  readonly short: (value: number) => string;
  /** Short with three digits, for numbers in a column: 950, 40.7k, 15.0M, 200k. */
  readonly aligned: (value: number) => string;
  /** Sums in tables: 18.90 M, 847.1 k, 950. */
  readonly sum: (value: number) => string;
  /** US dollars to the cent, small amounts to their first significant digits: $7.56, $0.0022; ≥ $7.56 for a lower bound. A difference has a sign. */
  readonly usd: (dollars: number, isLeast?: boolean) => string;
  readonly usdDifference: (dollars: number) => string;
  /** Dollars in lists: to the cent, below a dollar to two digits: $7.56, $0.20, $0.0022. */
  readonly usdListed: (dollars: number) => string;
  /** Dollars next to an axis, with no more digits than needed: $0.05. */
  readonly usdShort: (dollars: number) => string;
  /** A share of a whole, 0 to 1, as a percentage: 78 %. */
  readonly percent: (share: number, digits?: number) => string;
  /** A signed change as a share of the earlier value: +4.8 %, −74 %, ±0 %. */
  readonly change: (share: number, digits?: number) => string;
  /** A size: 2.1 GB, in powers of 1,000. */
  readonly bytes: (value: number) => string;
  /** Time since `at` for up to a day; then day and time, and from 300 days on the month and year. Both arguments in ms. */
  readonly ago: (at: number, now: number) => string;
  /** Date and time of day; `at` in ms. */
  readonly dateTime: (at: number) => string;
  /** Time of day with seconds; `at` in ms. */
  readonly time: (at: number) => string;
  /** Joins the parts of one statement with the language's comma. */
  readonly list: (parts: readonly string[]) => string;
  /** Joins statements, which may contain commas, with the language's semicolon. */
  readonly clauses: (parts: readonly string[]) => string;
  /** A duration in ms in its two largest units: 15 h 42 min. */
  readonly duration: (ms: number) => string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The comma between the parts of a statement, and the semicolon between statements: full width for Chinese. */
const MARKS: Readonly<Record<string, { readonly comma: string; readonly semicolon: string }>> = {
  zh: { comma: "，", semicolon: "；" },
};

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const NO_BREAK_SPACE = "\u00a0";

/** The formats of a language. `timeZone` is for tests; without it the user's own time zone applies. */
export function createFormat(locale: string, timeZone?: string): Format {
  const zone = timeZone === undefined ? {} : { timeZone };
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const threeDigits = new Intl.NumberFormat(locale, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
  const twoDigits = new Intl.NumberFormat(locale, { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", ...zone });
  const month = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", ...zone });
  const day = new Intl.DateTimeFormat(locale, {
    ...({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const),
    ...zone,
  });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium", hourCycle: "h23", ...zone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" });
  const fixed = fixedFormat(locale);
  const { comma, semicolon } = MARKS[new Intl.Locale(locale).language] ?? { comma: ", ", semicolon: "; " };

  return {
    count: (value) => withMinus(whole.format(value)),
    difference: (value) => signed(whole, value),
    short: (value) => shortNumber(locale, value),
    aligned: (value) => alignedNumber(threeDigits, whole, value),
    sum: (value) => sumNumber(fixed, whole, value),
    usd: (dollars, isLeast = false) => `${isLeast ? `≥${NO_BREAK_SPACE}` : ""}${usd(fixed, dollars)}`,
    usdDifference: (dollars) => `${signOf(dollars, 6)}${usd(fixed, Math.abs(dollars))}`,
    usdListed: (dollars) =>
      dollars > 0 && dollars < 0.995 ? `$${twoDigits.format(dollars)}` : `$${fixed(dollars, 2)}`,
    usdShort: (dollars) => `$${dollars.toLocaleString(locale, { maximumFractionDigits: 6 })}`,
    percent: (share, digits = 0) => `${withMinus(fixed(share * 100, digits))}${NO_BREAK_SPACE}%`,
    change: (share, digits = 0) =>
      `${signOf(share * 100, digits)}${fixed(Math.abs(share) * 100, digits)}${NO_BREAK_SPACE}%`,
    bytes: (value) => byteSize(locale, value),
    ago: (at, now) => {
      if (now - at < DAY) return distance(relative, at, now);
      return (now - at < 300 * DAY ? day : month).format(at);
    },
    dateTime: (at) => dateTime.format(at),
    time: (at) => time.format(at),
    list: (parts) => parts.join(comma),
    clauses: (parts) => parts.join(semicolon),
    duration: (ms) => durationText(locale, ms),
  };
}

/** A number with a minus sign instead of a hyphen, and none before a zero. */
function withMinus(text: string): string {
  return text.replace(/^-(?=[0.,]*$)/u, "").replace(/^-/u, "−");
}

/** Formats with a fixed number of decimals, each made only once: making one takes longer than a hundred uses. */
function fixedFormat(locale: string): (value: number, digits: number) => string {
  const formats: Intl.NumberFormat[] = [];
  return (value, digits) => {
    formats[digits] ??= new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return formats[digits].format(value);
  };
}

/** The sign of a number as written with this many decimals: a number that rounds to zero has none. */
function signOf(value: number, digits: number): string {
  if (Math.round(Math.abs(value) * 10 ** digits) === 0) return "±";
  return value < 0 ? "−" : "+";
}

function signed(whole: Intl.NumberFormat, value: number): string {
  return `${signOf(value, 0)}${whole.format(Math.abs(value))}`;
}

/** `k` and `M` in every language: token counts are written with these, even if a language groups by ten thousands. */
function shortNumber(locale: string, value: number): string {
  const [divisor, unit] = scaleOf(value);
  const scaled = value / divisor;
  const digits = divisor === 1 || Math.abs(scaled) >= 1000 ? 0 : 1;
  return `${scaled.toLocaleString(locale, { maximumFractionDigits: digits })}${unit}`;
}

function alignedNumber(digits: Intl.NumberFormat, whole: Intl.NumberFormat, value: number): string {
  // A value that three digits would round up to the next unit is written in that unit.
  const [divisor, unit] = scaleOf(Number(value.toPrecision(3)));
  return divisor === 1 ? whole.format(value) : `${digits.format(value / divisor)}${unit}`;
}

function sumNumber(fixed: (value: number, digits: number) => string, whole: Intl.NumberFormat, value: number): string {
  const [divisor, unit] = scaleOf(value);
  if (divisor === 1) return whole.format(value);
  return `${fixed(value / divisor, unit === "k" ? 1 : 2)}${NO_BREAK_SPACE}${unit}`;
}

/** The same notation as on the command line. */
function usd(fixed: (value: number, digits: number) => string, dollars: number): string {
  return `$${fixed(dollars, dollars === 0 || dollars >= 1 ? 2 : dollars >= 0.01 ? 4 : 6)}`;
}

/** The divisor that makes a value easiest to read. From 999,950 on a value would round to 1,000k, so it is shown as a million. */
function scaleOf(value: number): readonly [number, string] {
  const size = Math.abs(value);
  if (size >= 999_950_000) return [1e9, "G"];
  if (size >= 999_950) return [1e6, "M"];
  return size >= 1000 ? [1e3, "k"] : [1, ""];
}

function byteSize(locale: string, value: number): string {
  let power = 0;
  let scaled = value;
  while (scaled >= 999.5 && power < BYTE_UNITS.length - 1) {
    scaled /= 1000;
    power++;
  }
  return scaled.toLocaleString(locale, {
    style: "unit",
    unit: BYTE_UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 || scaled >= 100 ? 0 : 1,
  });
}

function distance(relative: Intl.RelativeTimeFormat, at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < HOUR) return relative.format(-Math.floor(past / MINUTE), "minute");
  return relative.format(-Math.floor(past / HOUR), "hour");
}

function durationText(locale: string, ms: number): string {
  const unit = (value: number, name: string) =>
    Math.floor(value).toLocaleString(locale, { style: "unit", unit: name, unitDisplay: "short" });
  const pair = (large: string, small: string, amount: number, base: number) =>
    Math.floor(amount % base) === 0
      ? unit(amount / base, large)
      : `${unit(amount / base, large)} ${unit(amount % base, small)}`;
  if (ms >= DAY) return pair("day", "hour", ms / HOUR, 24);
  if (ms >= HOUR) return pair("hour", "minute", ms / MINUTE, 60);
  return ms >= MINUTE ? pair("minute", "second", ms / 1000, 60) : unit(ms / 1000, "second");
}
