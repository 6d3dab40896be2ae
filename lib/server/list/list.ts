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

/** The listed files, and those of them that are read. */
interface Counted {
  readonly files: number;
  readonly bytes: Bytes;
  readonly readFiles: number;
  readonly readBytes: Bytes;
}

/** Counts what is read. While thousands of files are, only those are looked at of which it may be otherwise than before. */
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

/** The most memory for answers. */
const ANSWERS_BYTES = 4 << 20;
/** While the list changes, an answer is given again for this many times as long as it took to make, */
const REST = 10;
/** but no longer than this. */
const MOST_REST_MS = 2000;

interface Answer {
  readonly json: Uint8Array<ArrayBuffer>;
  readonly state: string;
  /** Until when it is given although the list has changed. */
  readonly until: number;
}

/**
 * Answers about the list as JSON in UTF-8. Each is made once while the list stays as it is, however many ask for it. While files are being read the
 * list changes many times a second: then an answer may be a little old, so that making answers takes no more than a tenth of the time.
 */
export class ListPages {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: ANSWERS_BYTES,
    sizeCalculation: ({ json }) => json.length,
  });
  readonly #making = new Once<Uint8Array<ArrayBuffer>>();
  readonly #now: () => number;
  /** How often all answers were forgotten. */
  #cleared = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param state identifies what the list is made of: a new state means a new list
   * @param isChanging whether files are being read: once all are, nobody would ask again for what an older answer lacks
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
      // Somebody who has changed the list meanwhile expects to see it.
      if (asked === this.#cleared)
        this.#answers.set(key, { json, state, until: ended + Math.min((ended - began) * REST, MOST_REST_MS) });
      return json;
    });
  }

  /** Forgets all answers: somebody has changed the list and expects to see it. */
  clear(): void {
    this.#cleared += 1;
    this.#answers.clear();
  }
}

/** Where the list is kept, and who is told about it. */
interface ListPlace {
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

  /** One page as JSON. Rejects with `RefusedError`. @param onShown is told which sessions are shown */
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
