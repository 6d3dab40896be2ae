import type { Milliseconds, Tokens } from "../base/units";
import { BASE_TABLE } from "./base-table";
import type { DatedRates, DollarRates, PriceEntry, Rates } from "./model";
import { spellingsOf } from "./model-id";
import { OWN_TABLE } from "./own-table";
import { inMicroDollars } from "./rates";

/** Looks up prices. */
export interface Prices {
  /** The entry of a model as a recording names it; `undefined` where it has no price. */
  find(model: string): PriceEntry | undefined;
}

/** The prices of some models, by exactly the names that will be asked for: the results of earlier lookups in a list. */
export function pricesOfModels(entries: Readonly<Record<string, PriceEntry>>): Prices {
  const byName = new Map(Object.entries(entries));
  return { find: (model) => byName.get(model) };
}

/** Price entries by id; those of later tables replace those of earlier ones. */
export class PriceList implements Prices {
  readonly #byId = new Map<string, PriceEntry>();
  /** The results of earlier lookups, by the model's name. */
  readonly #found = new Map<string, PriceEntry | undefined>();

  /** @param tables a later table takes precedence: an id that it names is taken only from there */
  constructor(tables: readonly (readonly PriceEntry[])[]) {
    for (const [index, table] of tables.entries()) {
      const better = new Set(tables.slice(index + 1).flatMap((one) => one.flatMap(({ ids }) => ids)));
      for (const entry of table)
        for (const id of entry.ids) if (!spellingsOf(id).some((name) => better.has(name))) this.#byId.set(id, entry);
    }
  }

  /** Every id, for those who list them. */
  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  /** The entry of a model as a recording names it; `undefined` where no id equals the name or one of its spellings. */
  find(model: string): PriceEntry | undefined {
    if (this.#found.has(model)) return this.#found.get(model);
    const id = spellingsOf(model).find((name) => this.#byId.has(name));
    const entry = id === undefined ? undefined : this.#byId.get(id);
    this.#found.set(model, entry);
    return entry;
  }
}

/** The prices that come with the program. */
export const LISTED_PRICES = new PriceList([BASE_TABLE, OWN_TABLE]);

/**
 * The rates of a whole request.
 * @param at the request's own time; for NaN (no time) only prices that never changed are known
 * @param sent everything that the request sent, read and written parts included
 */
export function ratesFor(entry: PriceEntry, at: Milliseconds, sent: Tokens): Rates | undefined {
  return ratesOfSize(ratesAt(entry, at), sent);
}

/** The rates at a time, for requests of any size. */
export function ratesAt({ rates }: PriceEntry, at: Milliseconds): DatedRates | undefined {
  return Number.isNaN(at) ? single(rates) : rates.findLast((one) => holdsAt(one, at));
}

/** The rates of a whole request that sent this many tokens. */
export function ratesOfSize(dated: DatedRates | undefined, sent: Tokens): Rates | undefined {
  const tier = dated?.tiers.findLast(({ from }) => sent >= from);
  return tier === undefined ? undefined : microOf(tier);
}

function single<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Whether rates hold at a time: days begin and end in UTC; the first is included and the last is not. */
function holdsAt({ from, until, minutes }: DatedRates, at: Milliseconds): boolean {
  if (from !== undefined && at < Date.parse(from)) return false;
  if (until !== undefined && at >= Date.parse(until)) return false;
  if (minutes === undefined) return true;
  const minute = Math.floor((at % DAY) / MINUTE);
  return minute >= minutes[0] && minute < minutes[1];
}

/** Rates in whole numbers, computed once per row. */
const known = new WeakMap<DollarRates, Rates>();

function microOf(tier: DollarRates): Rates {
  const rates = known.get(tier) ?? inMicroDollars(tier);
  known.set(tier, rates);
  return rates;
}
