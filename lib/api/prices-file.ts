import { z } from "zod";
import { MOST_TOKENS } from "@/lib/core/base/units";
import type { DatedRates, DollarRates, PriceEntry } from "@/lib/core/prices/model";
import type { PriceList } from "@/lib/core/prices/price-list";
import { lineAt, placeInJson } from "@/lib/core/transcript/json-place";
import { parseJson } from "@/lib/core/transcript/nesting";

const dollars = z.number().nonnegative().max(1e6);
const day = z.iso.date();

/** A row of the user's own price list: docs/prices.md, "A file of your own". Prices are dollars per million tokens. */
export const priceRow = z.strictObject({
  model: z.string().min(1),
  input: dollars,
  output: dollars,
  read: dollars.optional(),
  write5m: dollars.optional(),
  write1h: dollars.optional(),
  /** If present, the row is for requests that sent more than this many tokens. */
  above: z.int().positive().max(MOST_TOKENS).optional(),
  from: day.optional(),
  until: day.optional(),
  provider: z.enum(["anthropic", "openai", "other"]).optional(),
});

export const pricesFile = z.strictObject({ rows: z.array(priceRow).min(1) });

type PriceRow = z.infer<typeof priceRow>;

/** Thrown for an invalid price list; the message names the line and the reason. */
export class PricesError extends Error {
  override name = "PricesError";
}

/**
 * The entries of a user's price list. What they leave out about a listed model, such as what speed costs, stays as listed. Throws `PricesError`.
 * @param seen the day on which the file was read
 */
export function parsePrices(text: string, listed: PriceList, seen: string): readonly PriceEntry[] {
  const value = jsonOf(text);
  const result = pricesFile.safeParse(value);
  if (!result.success) throw issueError(text, result.error.issues[0]);
  const byModel = new Map<string, PriceRow[]>();
  for (const row of result.data.rows) byModel.set(row.model, [...(byModel.get(row.model) ?? []), row]);
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

function issueError(text: string, issue: z.core.$ZodIssue | undefined): PricesError {
  const { path = [], message = "" } = issue ?? {};
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return new PricesError(`line ${lineAt(text, placeInJson(text, path))}: ${name.slice(1) || "the list"}: ${message}`);
}

/** The rates of a model by the time and the size that they hold for; a sentence where the rows contradict each other or leave a gap. */
function datedRates(rows: readonly PriceRow[]): readonly DatedRates[] | string {
  const stretches = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const stretch = `${row.from ?? ""} ${row.until ?? ""}`;
    stretches.set(stretch, [...(stretches.get(stretch) ?? []), row]);
  }
  const all = [...stretches.values()].sort(([a], [b]) => ((a?.from ?? "") < (b?.from ?? "") ? -1 : 1));
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
