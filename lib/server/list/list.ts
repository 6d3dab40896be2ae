import { LRUCache } from "lru-cache";
import type { Bytes } from "@/lib/core/base/units";
import type { IndexingEvent, SessionPage, SessionRow } from "@/lib/queries/contract/schemas";
import { makerOf } from "../base/made-by";
import { Once } from "../base/once";
import { type OpenedIndex, openIndex } from "../store/database/open";
import { DamagedError } from "../store/database/statement";
import type { Catalog } from "./files/catalog";
import type { CatalogEntry } from "./files/entries";
import { IndexColumns } from "./index/index-columns";
import { SessionIndex } from "./index/session-index";
import { type Listed, matching } from "./list-filter";
import { countOf, type ListQuery, pageOf } from "./list-query";

interface Counted {
  readonly files: number;
  readonly bytes: Bytes;
  readonly readFiles: number;
  readonly readBytes: Bytes;
}

/** Counts read files. While thousands of files are read, only possibly changed ones are checked. */
export class ReadCount {
  #revision: number | undefined;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  readonly #read = new Set<string>();
  #bytes = 0;
  #readBytes = 0;

  /** @param revision changes with the listed files */
  of(
    revision: number,
    known: () => readonly CatalogEntry[],
    index: Pick<SessionIndex, "isRead" | "takeTouched">,
  ): Counted {
    const touched = index.takeTouched();
    const isSame = revision === this.#revision && touched !== undefined;
    if (!isSame) this.#begin(known());
    this.#revision = revision;
    for (const id of isSame ? touched : this.#entries.keys()) this.#look(id, index);
    const { size } = this.#entries;
    return { files: size, bytes: this.#bytes, readFiles: this.#read.size, readBytes: this.#readBytes };
  }

  #begin(entries: readonly CatalogEntry[]): void {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#read.clear();
    this.#bytes = entries.reduce((sum, { version }) => sum + version.bytes, 0);
    this.#readBytes = 0;
  }

  #look(id: string, index: Pick<SessionIndex, "isRead">): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || index.isRead(entry) === this.#read.has(id)) return;
    if (this.#read.delete(id)) this.#readBytes -= entry.version.bytes;
    else {
      this.#read.add(id);
      this.#readBytes += entry.version.bytes;
    }
  }
}

/** Maximum memory of cached answers. */
const ANSWERS_BYTES = 4 << 20;
/** While the list changes, an answer is reused for this multiple of the time it took, but at most for the time below. */
const REST = 10;
const MAX_REST_MS = 2000;

interface Answer {
  readonly json: Uint8Array<ArrayBuffer>;
  readonly state: string;
  /** End of its reuse although the list has changed. */
  readonly until: number;
}

/**
 * Cached answers about the list as JSON in UTF-8. Each is computed once while the list is unchanged, for any number of clients. While files are read,
 * the list changes many times a second: then an answer may be slightly old, so that answers take at most a tenth of the time.
 */
export class ListPages {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: ANSWERS_BYTES,
    sizeCalculation: ({ json }) => json.length,
  });
  readonly #making = new Once<Uint8Array<ArrayBuffer>>();
  readonly #now: () => number;
  /** Number of times that all answers were dropped. */
  #cleared = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param state identifies the list's contents: a new state means a new list
   * @param isChanging true while files are being read: afterwards no client would refresh an old answer
   */
  get(state: string, query: object, make: () => Promise<string>, isChanging = true): Promise<Uint8Array<ArrayBuffer>> {
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known !== undefined && (known.state === state || (isChanging && this.#now() < known.until)))
      return Promise.resolve(known.json);
    const asked = this.#cleared;
    return this.#making.do(`${state} ${key}`, async () => {
      const began = this.#now();
      const json = new TextEncoder().encode(await make());
      const ended = this.#now();
      // A user who changed the list meanwhile expects to see the change.
      if (asked === this.#cleared)
        this.#answers.set(key, { json, state, until: ended + Math.min((ended - began) * REST, MAX_REST_MS) });
      return json;
    });
  }

  /** Drops all answers: the user changed the list and expects to see it. */
  clear(): void {
    this.#cleared += 1;
    this.#answers.clear();
  }
}

/** Storage of the list, and its listeners. */
interface ListPlace {
  readonly root: string;
  readonly dataDir: string;
  /** Address of a PostgreSQL database; default: a file of the data folder. */
  readonly address?: string | undefined;
  /** Inputs of the code that reads recordings, such as a price list. */
  readonly basis: string;
  readonly say: (sentence: string) => void;
}

/** Progress of reading the found files. */
export type Progress = Pick<IndexingEvent, "done" | "total" | "bytesDone" | "bytesTotal">;

/** The session list: files of the catalog, stored and queried. */
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

  /** @param afterDamage true if the last one was closed because of a damaged index */
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
    // The first query finds them read, or at least started; after a failure it tries again.
    columns.refresh().catch(() => undefined);
    return new SessionList(catalog, opened, await SessionIndex.load(opened.database, options), columns);
  }

  /** One page as JSON. Rejects with `RefusedError`. @param onShown is called with the shown sessions */
  async page(query: ListQuery, onShown: (ids: readonly string[]) => void): Promise<Uint8Array<ArrayBuffer>> {
    return this.answer(query, async (listed) => {
      // Read before the rows: a page that reports all files as read holds all of them.
      const [indexing, revision] = [this.indexing(), this.index.generation];
      const places = await matching(this.columns, listed, query);
      const { total, bytes } = countOf(this.columns, places);
      const { ids, rows, nextCursor } = await pageOf(this.index.database, this.columns, places, query);
      onShown(ids);
      const rest = JSON.stringify({ nextCursor, total, bytes, indexing, revision } satisfies Omit<
        SessionPage,
        "sessions"
      >);
      // The rows are sent as stored.
      return `{"sessions":[${rows.join(",")}],${rest.slice(1)}`;
    });
  }

  /** An answer about the list, computed once while nothing changes. */
  answer(query: object, make: (listed: Listed) => Promise<string>): Promise<Uint8Array<ArrayBuffer>> {
    const { done, total } = this.indexing();
    const state = `${this.index.generation} ${done} ${total}`;
    return this.#pages.get(state, query, () => make(this.listed), done < total);
  }

  /** Drops cached answers: the user changed the list and expects to see it. */
  renew(): void {
    this.#pages.clear();
  }

  /** Number of read files among the found ones. */
  indexing(): SessionPage["indexing"] {
    const { done, total } = this.progress();
    return { done, total };
  }

  /** As `indexing`, with the files' bytes. */
  progress(): Progress {
    const { index } = this;
    const state = `${this.#catalog.revision} ${index.generation} ${index.isRelating} ${this.#catalog.isWalked}`;
    if (this.#progress?.state === state) return this.#progress.of;
    const counted = this.#count.of(this.#catalog.revision, () => this.#catalog.known(), index);
    const { files, readFiles: read } = counted;
    // Work remains until all files are read and relations are found.
    const total = this.#catalog.isWalked ? files : Math.max(files, index.size) + 1;
    const done = index.isRelating ? Math.min(read, total - 1) : read;
    const bytes = { bytesDone: counted.readBytes, bytesTotal: counted.bytes };
    this.#progress = { state, of: { done: Math.max(0, done), total, ...bytes } };
    return this.#progress.of;
  }

  row(id: string): Promise<SessionRow | undefined> {
    return this.index.row(id);
  }

  /** True if there are rows before any folder was checked. */
  get hasRows(): boolean {
    return this.index.size > 0;
  }

  async close(): Promise<void> {
    await this.index.close();
    await this.#opened.close();
  }

  /** The listed sessions. */
  get listed(): Listed {
    return { sources: this.#catalog.sourceIds, deletions: this.#catalog.deletions };
  }
}
