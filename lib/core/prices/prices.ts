import type { PriceEntry } from "./model";

/** Access to prices by model name. */
export interface Prices {
  /** Finds the entry of a recorded model name; `undefined` if it has no price. */
  find(model: string): PriceEntry | undefined;
}

/** Prices of a fixed set of models, by the names under which they were looked up. */
export function pricesOfModels(entries: Readonly<Record<string, PriceEntry>>): Prices {
  const byName = new Map(Object.entries(entries));
  return { find: (model) => byName.get(model) };
}

/** Entries of some models, by these names; models without a price are omitted. */
export function entriesOf(models: Iterable<string>, prices: Prices): Record<string, PriceEntry> {
  const known = [...new Set(models)].flatMap((model) => {
    const entry = prices.find(model);
    return entry === undefined ? [] : [[model, entry] as const];
  });
  return Object.fromEntries(known);
}
