import { grouped } from "@/lib/core/base/number-text";
import { MAX_TOKENS } from "@/lib/core/base/units";
import type { DatedRates, DollarRates, PriceEntry } from "@/lib/core/prices/model";
import type { PriceList } from "@/lib/core/prices/price-list";
import { isObject } from "@/lib/core/records/fields";
import { lineAt, placeInJson } from "@/lib/core/records/json-place";
import { parseJson } from "@/lib/core/records/nesting";
import { instant } from "@/lib/queries/wire/instant";

/** A row of the user's own price list: docs/prices.md, "A file of your own". Prices are dollars per million tokens. */
interface PriceRow {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly read?: number;
  readonly write5m?: number;
  readonly write1h?: number;
  /** If present, the row is for requests with more input tokens than this. */
  readonly above?: number;
  readonly from?: string;
  readonly until?: string;
  readonly provider?: PriceEntry["provider"];
}

/**
 * Conditions of a value, and their wording. Not a zod schema: every reader of recordings loads this, and zod takes longer to load than a small
 * recording to read.
 */
type Rule = readonly [isMet: (value: unknown) => boolean, sentence: string];

const DOLLARS: Rule = [(value) => isWithin(value, 0, 1e6), "it has to be a number of dollars from 0 to 1,000,000"];
const DAY: Rule = [(value) => typeof value === "string" && isDay(value), "it has to be a day, as 2026-09-01"];
const FIELDS: Readonly<Record<keyof PriceRow, Rule>> = {
  model: [(value) => typeof value === "string" && value !== "", "it has to be the id of a model"],
  input: DOLLARS,
  output: DOLLARS,
  read: DOLLARS,
  write5m: DOLLARS,
  write1h: DOLLARS,
  above: [
    (value) => isWithin(value, 1, MAX_TOKENS) && Number.isInteger(value),
    `it has to be a whole number of tokens from 1 to ${grouped(String(MAX_TOKENS))}`,
  ],
  from: DAY,
  until: DAY,
  provider: [
    (value) => value === "anthropic" || value === "openai" || value === "other",
    "it has to be anthropic, openai or other",
  ],
};
const REQUIRED = ["model", "input", "output"] as const satisfies readonly (keyof PriceRow)[];

/** Thrown for an invalid price list; the message names the line and the reason. */
export class PricesError extends Error {
  override name = "PricesError";
}

/**
 * The entries of a user's price list. Missing facts of a listed model, such as the price of speed, stay as listed. Throws `PricesError`.
 * @param seen the day on which the file was read
 */
export function parsePrices(text: string, listed: PriceList, seen: string): readonly PriceEntry[] {
  const byModel = new Map<string, PriceRow[]>();
  for (const row of rowsOf(text)) byModel.set(row.model, [...(byModel.get(row.model) ?? []), row]);
  return Array.from(byModel, ([model, rows]) => {
    const { fast, usOnly, lifetime, provider = "other" } = listed.find(model) ?? {};
    const dated = datedRates(rows);
    if (typeof dated === "string") throw new PricesError(`${model}: ${dated}`);
    return {
      ids: [model],
      provider: rows.find((row) => row.provider !== undefined)?.provider ?? provider,
      rates: dated,
      ...(fast === undefined ? {} : { fast }),
      ...(usOnly === undefined ? {} : { usOnly }),
      ...(lifetime === undefined ? {} : { lifetime }),
      source: "your own list of prices",
      seen,
    };
  });
}

function rowsOf(text: string): readonly PriceRow[] {
  const value = jsonOf(text);
  const wrong = wrongIn(value);
  if (wrong !== undefined) throw wrongError(text, wrong);
  return (value as { readonly rows: readonly PriceRow[] }).rows; // Every field was checked.
}

/** An invalid value and its place. */
interface Wrong {
  readonly path: readonly (string | number)[];
  readonly sentence: string;
}

/** The first error in a list. */
function wrongIn(value: unknown): Wrong | undefined {
  if (!isObject(value)) return { path: [], sentence: "it has to be an object with rows" };
  const other = Object.keys(value).find((key) => key !== "rows");
  if (other !== undefined) return { path: [], sentence: `it has rows alone, and no ${JSON.stringify(other)}` };
  if (!Array.isArray(value.rows) || value.rows.length === 0)
    return { path: ["rows"], sentence: "they have to be a list of at least one row" };
  for (const [at, row] of value.rows.entries()) {
    const wrong = wrongInRow(row);
    if (wrong !== undefined) return { ...wrong, path: ["rows", at, ...wrong.path] };
  }
  return undefined;
}

function wrongInRow(row: unknown): Wrong | undefined {
  if (!isObject(row)) return { path: [], sentence: "it has to be an object" };
  const missing = REQUIRED.find((key) => !Object.hasOwn(row, key));
  if (missing !== undefined) return { path: [missing], sentence: "it is missing" };
  for (const [key, value] of Object.entries(row)) {
    const [isMet, sentence] = Object.entries(FIELDS).find(([name]) => name === key)?.[1] ?? [];
    if (isMet === undefined || sentence === undefined)
      return { path: [], sentence: `a row has no ${JSON.stringify(key)}` };
    if (!isMet(value)) return { path: [key], sentence };
  }
  return undefined;
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

function isDay(text: string): boolean {
  return instant(Date.parse(text))?.slice(0, 10) === text;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const place = /position (\d+)/.exec(message)?.[1];
    const line = lineAt(text, place === undefined ? text.length : Number(place));
    throw new PricesError(error instanceof SyntaxError ? `line ${line}: it is not JSON` : `it is ${message}`);
  }
}

function wrongError(text: string, { path, sentence }: Wrong): PricesError {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return new PricesError(`line ${lineAt(text, placeInJson(text, path))}: ${name.slice(1) || "the list"}: ${sentence}`);
}

/** A model's rates by time and size; a sentence if the rows contradict each other or leave a gap. */
function datedRates(rows: readonly PriceRow[]): readonly DatedRates[] | string {
  const stretches = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const stretch = `${row.from ?? ""} ${row.until ?? ""}`;
    stretches.set(stretch, [...(stretches.get(stretch) ?? []), row]);
  }
  // If several rows apply to a day, the last one counts; if they begin together, the one that ends first.
  const all = [...stretches.values()].sort(
    ([a], [b]) => compareDays(a?.from ?? "", b?.from ?? "") || compareDays(b?.until ?? "~", a?.until ?? "~"),
  );
  for (const same of all) {
    const sizes = new Set(same.map(({ above = 0 }) => above));
    if (sizes.size < same.length) return "two rows hold for the same requests";
    if (!sizes.has(0)) return "there is no row for requests of every size, without above";
  }
  return all.map((same) => {
    const { from, until } = same[0] ?? {};
    const tiers = same.map(tierOf).sort((a, b) => a.from - b.from);
    return { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }), tiers };
  });
}

/** Compares two days. An empty text is before all days, a tilde after them. */
function compareDays(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function tierOf({ input, output, read, write5m, write1h, above }: PriceRow): DollarRates {
  return {
    from: above === undefined ? 0 : above + 1,
    input,
    output,
    ...(read === undefined ? {} : { read }),
    ...(write5m === undefined ? {} : { write5m }),
    ...(write1h === undefined ? {} : { write1h }),
  };
}
