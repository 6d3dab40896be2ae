import type { CatalogEntry } from "./entries";

/** Uploads that were added or removed since a walk began, which the walk may have missed. */
export class UploadChanges {
  /** By id, the entry of an added upload; `undefined` for a removed one. */
  readonly #changes = new Map<string, CatalogEntry | undefined>();
  #walked: Map<string, CatalogEntry> | undefined;

  /** Starts a walk. @param entries list that the walk fills */
  beginWalk(entries: Map<string, CatalogEntry>): void {
    this.#changes.clear();
    this.#walked = entries;
  }

  /** Records an added upload, or without `entry` a removed one. Returns the listed entries with that change. */
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

  /** Updates the results of a walk. */
  applyTo(entries: Map<string, CatalogEntry>): void {
    for (const [id, entry] of this.#changes) put(entries, id, entry);
  }

  /** Ends the walk; its results are listed. */
  endWalk(): void {
    this.#walked = undefined;
  }
}

function put(entries: Map<string, CatalogEntry>, id: string, entry: CatalogEntry | undefined): void {
  if (entry === undefined) entries.delete(id);
  else entries.set(id, entry);
}
