import type { CatalogEntry } from "./catalog";
import type { Indexer } from "./indexer";
import { type Related, type RelatedInput, relate } from "./relations";

/** The relations of listed sessions, and their titles. */
export interface Relations {
  readonly of: (id: string) => Related | undefined;
  readonly titleOf: (id: string) => string | undefined;
}

/** While sessions are being read, relations are computed at most this often. */
const PATIENCE_MS = 1500;

/** Computes relations when something was learnt since the last time. */
export class RelationsCache {
  readonly #now: () => number;
  #state = "";
  #foundAt = Number.NEGATIVE_INFINITY;
  #isCurrent = false;
  #relations: Relations = { of: () => undefined, titleOf: () => undefined };

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether the last answer includes all that is known. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  of(entries: readonly CatalogEntry[], indexer: Pick<Indexer, "of" | "generation" | "progress">): Relations {
    const { done, total } = indexer.progress(entries);
    const state = `${indexer.generation} ${total}`;
    const waits = done < total && this.#now() - this.#foundAt < PATIENCE_MS;
    this.#isCurrent = state === this.#state || !waits;
    if (state === this.#state || waits) return this.#relations;
    this.#state = state;
    this.#relations = relationsOf(listedInputs(entries, indexer));
    this.#foundAt = this.#now();
    return this.#relations;
  }
}

/** A session for finding its relations, and its title. */
export interface NamedInput extends RelatedInput {
  readonly title: string;
}

/** The relations of the sessions that have been read so far. */
export function relationsOf(inputs: readonly NamedInput[]): Relations {
  const related = relate(inputs);
  const titles = new Map(inputs.map(({ id, title }) => [id, title]));
  return { of: (id) => related.get(id), titleOf: (id) => titles.get(id) };
}

/** Listed sessions, as far as they were read. */
export function listedInputs(entries: readonly CatalogEntry[], indexer: Pick<Indexer, "of">): NamedInput[] {
  return entries.flatMap((entry) => {
    const { summary, requestKeys: keys } = indexer.of(entry) ?? {};
    if (summary == null || keys === undefined) return [];
    return [{ id: entry.id, summary, placed: entry.placed, keys, title: summary.title ?? entry.name }];
  });
}
