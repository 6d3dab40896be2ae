import { BASE_TABLE } from "./base-table";
import type { PriceEntry } from "./model";
import { spellingsOf } from "./model-id";
import { OWN_TABLE } from "./own-table";
import type { Prices } from "./prices";

/** Price entries by id; later tables override earlier ones. */
export class PriceList implements Prices {
  readonly #byId = new Map<string, PriceEntry>();
  /** Entries of ids with capitals, by the id in lower case. */
  readonly #bySmall = new Map<string, PriceEntry>();
  /** The results of earlier lookups, by the model's name. */
  readonly #found = new Map<string, PriceEntry | undefined>();

  /** @param tables later tables override earlier ones: an id in a later table is taken only from there */
  constructor(tables: readonly (readonly PriceEntry[])[]) {
    for (const [index, table] of tables.entries()) {
      const better = new Set(tables.slice(index + 1).flatMap((one) => one.flatMap(({ ids }) => ids)));
      for (const entry of table)
        for (const id of entry.ids) if (!spellingsOf(id).some((name) => better.has(name))) this.#byId.set(id, entry);
    }
    for (const [id, entry] of this.#byId) {
      const small = id.toLowerCase();
      if (!this.#byId.has(small)) this.#bySmall.set(small, entry);
    }
  }

  /** All ids of the list. */
  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  /** Finds the entry of a recorded model name; `undefined` if no id equals the name or one of its spellings. */
  find(model: string): PriceEntry | undefined {
    if (this.#found.has(model)) return this.#found.get(model);
    const spellings = spellingsOf(model);
    const id = spellings.find((name) => this.#byId.has(name));
    const entry = id === undefined ? this.#bySmall.get(spellings.at(-1) ?? model) : this.#byId.get(id);
    this.#found.set(model, entry);
    return entry;
  }
}

/** Built-in price list. */
export const LISTED_PRICES = new PriceList([BASE_TABLE, OWN_TABLE]);
