import type { IndexingEvent, SessionPage, SessionRow } from "@/lib/api/contract";
import { type OpenedIndex, openIndex } from "../../database/open";
import { DamagedError } from "../../database/statement";
import { makerOf } from "../../made-by";
import type { Catalog } from "../catalog";
import { IndexColumns } from "../index/index-columns";
import { SessionIndex } from "../index/session-index";
import { type Listed, matching } from "./list-filter";
import { ListPages } from "./list-pages";
import { countOf, type ListQuery, pageOf } from "./list-query";
import { ReadCount } from "./read-count";

/** Where the list is kept, and who is told about it. */
export interface ListPlace {
  readonly root: string;
  readonly dataDir: string;
  /** Address of a PostgreSQL database; without one it is a file of the data folder. */
  readonly address?: string | undefined;
  /** What the code that reads recordings goes by, such as a list of prices. */
  readonly basis: string;
  readonly say: (sentence: string) => void;
}

/** How far the files that were found are read. */
export type Progress = Pick<IndexingEvent, "done" | "total" | "bytesDone" | "bytesTotal">;

/** The list of sessions: what the catalog finds, kept and asked for. */
export class SessionList {
  readonly index: SessionIndex;
  readonly columns: IndexColumns;
  readonly #catalog: Catalog;
  readonly #opened: OpenedIndex;
  readonly #pages = new ListPages();
  readonly #count = new ReadCount();
  #progress: { readonly state: string; readonly of: Progress } | undefined;

  private constructor(catalog: Catalog, opened: OpenedIndex, index: SessionIndex, columns: IndexColumns) {
    this.#catalog = catalog;
    this.#opened = opened;
    this.index = index;
    this.columns = columns;
  }

  /** @param afterDamage the last one was closed because its index was damaged */
  static async open(catalog: Catalog, place: ListPlace, afterDamage = false): Promise<SessionList> {
    const opened = await openIndex({ ...place, afterDamage });
    try {
      return await SessionList.#load(catalog, place, opened);
    } catch (error) {
      await opened.close();
      if (afterDamage || !(error instanceof DamagedError)) throw error;
      return SessionList.open(catalog, place, true);
    }
  }

  static async #load(catalog: Catalog, place: ListPlace, opened: OpenedIndex): Promise<SessionList> {
    for (const note of opened.notes) place.say(note);
    const { sourceIds: sources } = catalog;
    const options = { sources, madeBy: makerOf(place.root, place.basis), say: place.say };
    const columns = new IndexColumns(opened.database);
    // The first question finds them read, or at least begun; if that fails it tries again.
    columns.refresh().catch(() => undefined);
    return new SessionList(catalog, opened, await SessionIndex.load(opened.database, options), columns);
  }

  /** One page as JSON. Rejects with `HttpError`. @param onShown is told which sessions are shown */
  async page(query: ListQuery, onShown: (ids: readonly string[]) => void): Promise<Uint8Array<ArrayBuffer>> {
    return this.answer(query, async (listed) => {
      // Taken before the rows: a page that says that all is read holds all that was read.
      const [indexing, revision] = [this.indexing(), this.index.generation];
      const places = await matching(this.columns, listed, query);
      const { total, bytes } = countOf(this.columns, places);
      const { ids, rows, nextCursor } = await pageOf(this.index.database, this.columns, places, query);
      onShown(ids);
      const rest = JSON.stringify({ nextCursor, total, bytes, indexing, revision } satisfies Omit<
        SessionPage,
        "sessions"
      >);
      // The rows are sent as they are kept.
      return `{"sessions":[${rows.join(",")}],${rest.slice(1)}`;
    });
  }

  /** An answer about what is listed, made once while nothing changes. */
  answer(query: object, make: (listed: Listed) => Promise<string>): Promise<Uint8Array<ArrayBuffer>> {
    const { done, total } = this.indexing();
    const state = `${this.index.generation} ${done} ${total}`;
    return this.#pages.get(state, query, () => make(this.listed), done < total);
  }

  /** Forgets what was answered: somebody has changed the list and expects to see it. */
  renew(): void {
    this.#pages.clear();
  }

  /** How many of the files that were found are read. */
  indexing(): SessionPage["indexing"] {
    const { done, total } = this.progress();
    return { done, total };
  }

  /** The same, with the files' bytes. */
  progress(): Progress {
    const { index } = this;
    const state = `${this.#catalog.revision} ${index.generation} ${index.isRelating} ${this.#catalog.isWalked}`;
    if (this.#progress?.state === state) return this.#progress.of;
    const counted = this.#count.of(this.#catalog.revision, () => this.#catalog.known(), index);
    const { files, readFiles: read } = counted;
    // Until relations are found, and until all files are, something is still to be done.
    const total = this.#catalog.isWalked ? files : Math.max(files, index.size) + 1;
    const done = index.isRelating ? Math.min(read, total - 1) : read;
    const bytes = { bytesDone: counted.readBytes, bytesTotal: counted.bytes };
    this.#progress = { state, of: { done: Math.max(0, done), total, ...bytes } };
    return this.#progress.of;
  }

  /** A session's row. */
  row(id: string): Promise<SessionRow | undefined> {
    return this.index.row(id);
  }

  /** Whether there are rows to answer with before any folder was looked at. */
  get hasRows(): boolean {
    return this.index.size > 0;
  }

  async close(): Promise<void> {
    await this.index.close();
    await this.#opened.close();
  }

  /** Which sessions are listed. */
  get listed(): Listed {
    return { sources: this.#catalog.sourceIds };
  }
}
