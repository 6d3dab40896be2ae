import type { PriceEntry } from "./model";

/** What is asked of prices. */
export interface Prices {
  /** The entry of a model as a recording names it; `undefined` where it has no price. */
  find(model: string): PriceEntry | undefined;
}

/** Prices of some models, by their names as they are asked for: what a table was asked for before. */
export function pricesOfModels(entries: Readonly<Record<string, PriceEntry>>): Prices {
  const byName = new Map(Object.entries(entries));
  return { find: (model) => byName.get(model) };
}

/** The entries of some models, by these names; those without a price are left out. */
export function entriesOf(models: Iterable<string>, prices: Prices): Record<string, PriceEntry> {
  const known = [...new Set(models)].flatMap((model) => {
    const entry = prices.find(model);
    return entry === undefined ? [] : [[model, entry] as const];
  });
  return Object.fromEntries(known);
}
