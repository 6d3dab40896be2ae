import type { CatalogEntry } from "./entries";

/** The uploads that came and went since a walk began, which may have looked at them before. */
export class UploadChanges {
  /** Those that came, and, without an entry, those that were removed. */
  readonly #changes = new Map<string, CatalogEntry | undefined>();
  #walked: Map<string, CatalogEntry> | undefined;

  /** A walk begins. @param entries what it finds, to which it adds */
  beginWalk(entries: Map<string, CatalogEntry>): void {
    this.#changes.clear();
    this.#walked = entries;
  }

  /** Takes note that an upload came, or, without an entry, that it was removed. Returns the listed entries with that change. */
  change(
    listed: ReadonlyMap<string, CatalogEntry>,
    id: string,
    entry?: CatalogEntry,
  ): ReadonlyMap<string, CatalogEntry> {
    const entries = new Map(listed);
    this.#changes.set(id, entry);
    for (const found of [entries, this.#walked]) if (found !== undefined) put(found, id, entry);
    return entries;
  }

  /** Brings what a walk has found up to now. */
  applyTo(entries: Map<string, CatalogEntry>): void {
    for (const [id, entry] of this.#changes) put(entries, id, entry);
  }

  /** The walk has ended, and what it found is listed. */
  endWalk(): void {
    this.#walked = undefined;
  }
}

function put(entries: Map<string, CatalogEntry>, id: string, entry: CatalogEntry | undefined): void {
  if (entry === undefined) entries.delete(id);
  else entries.set(id, entry);
}
