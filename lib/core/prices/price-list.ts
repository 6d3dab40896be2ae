import { BASE_TABLE } from "./base-table";
import type { PriceEntry } from "./model";
import { isFreeVariant, spellingsOf } from "./model-id";
import { OWN_TABLE } from "./own-table";
import type { Prices } from "./prices";
import { rates } from "./rates";

const FREE: PriceEntry = {
  ids: [],
  provider: "other",
  rates: [{ tiers: [rates(0, null, null, null, 0)] }],
  source: "openrouter.ai, model variants",
  seen: "2026-11-30",
};

/** Price entries by id; later tables override earlier ones. */
export class PriceList implements Prices {
  /** Tables by id, the latest first. */
  readonly #tables: readonly ReadonlyMap<string, PriceEntry>[];
  /** Ids with capitals by the id in lower case, once a lookup needs them. */
  #byLowerCase: ReadonlyMap<string, string> | undefined;
  /** The results of earlier lookups, by the model's name. */
  readonly #found = new Map<string, PriceEntry | undefined>();

  /** @param tables later tables override earlier ones: an id in a later table is taken only from there */
  constructor(tables: readonly (readonly PriceEntry[])[]) {
    this.#tables = tables
      .toReversed()
      .map((table) => new Map(table.flatMap((entry) => entry.ids.map((id) => [id, entry] as const))));
  }

  get ids(): readonly string[] {
    const ids = new Set(this.#tables.toReversed().flatMap((table) => [...table.keys()]));
    return [...ids].filter((id) => this.#entry(id) !== undefined);
  }

  /** Finds the entry of a recorded model name; `undefined` if no id equals the name or one of its spellings. */
  find(model: string): PriceEntry | undefined {
    if (this.#found.has(model)) return this.#found.get(model);
    const entry = this.#findSpelling(spellingsOf(model)) ?? (isFreeVariant(model) ? FREE : undefined);
    this.#found.set(model, entry);
    return entry;
  }

  #findSpelling(spellings: readonly string[]): PriceEntry | undefined {
    for (const name of spellings) {
      const entry = this.#entry(name);
      if (entry !== undefined) return entry;
    }
    this.#byLowerCase ??= new Map(this.ids.map((id) => [id.toLowerCase(), id]));
    return this.#entry(this.#byLowerCase.get(spellings.at(-1) ?? "") ?? "");
  }

  /** Entry of an id as written; `undefined` if a later table overrides it under another spelling of the id. */
  #entry(id: string): PriceEntry | undefined {
    const at = this.#tables.findIndex((table) => table.has(id));
    const later = this.#tables.slice(0, Math.max(0, at));
    const isOverridden = later.length > 0 && spellingsOf(id).some((name) => later.some((table) => table.has(name)));
    return isOverridden ? undefined : this.#tables[at]?.get(id);
  }
}

/** Built-in price list. */
export const LISTED_PRICES = new PriceList([BASE_TABLE, OWN_TABLE]);
