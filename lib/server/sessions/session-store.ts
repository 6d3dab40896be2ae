import { LRUCache } from "lru-cache";
import { columnsDelta, encodeDelta } from "@/lib/core/columns/delta";
import type { IndexedText } from "../base/config";
import { Once } from "../base/once";
import { type Encoding, type Packed, pack } from "../base/packing";
import { type CatalogEntry, entryKey } from "../list/files/entries";
import { mayGrow } from "../read/source-file";
import type { IngestAnswer, Priority, Runners } from "../threads/tasks";
import { columnsOf, encodedColumns, idsOf, OpenedSession, type WantedColumns, wantedKey } from "./opened-session";

/** Maximum memory for sessions as numbers, and for packed answers. */
const SESSION_BYTES = 128 << 20;
const BODY_BYTES = 64 << 20;
/** Maximum held versions of a growing session, and maximum such sessions. */
const HELD_VERSIONS = 4;
const REMEMBERED_SESSIONS = 1000;

/** Recently queried sessions. Everything is read, counted and packed once, for any number of callers. */
export class SessionStore {
  readonly #runners: Runners;
  readonly #onRead: (entry: CatalogEntry, answer: IngestAnswer) => void;
  readonly #text: IndexedText;
  readonly #opened = new LRUCache<string, OpenedSession>({ maxSize: SESSION_BYTES, sizeCalculation: (s) => s.bytes });
  /** Files that are being read, by priority. */
  readonly #opening: Readonly<Record<Priority, Once<OpenedSession>>> = { asked: new Once(), background: new Once() };
  /** The keys of the held versions of each session, the newest last. */
  readonly #versions = new LRUCache<string, readonly string[]>({ max: REMEMBERED_SESSIONS });
  readonly #bodies = new LRUCache<string, Packed>({ maxSize: BODY_BYTES, sizeCalculation: (b) => b.length + 1 });
  readonly #packing = new Once<Packed>();

  /**
   * @param onRead called for every read file
   * @param text the searched words for the list
   */
  constructor(
    runners: Runners,
    onRead: (entry: CatalogEntry, answer: IngestAnswer) => void = () => {},
    text: IndexedText = "prompts",
  ) {
    this.#runners = runners;
    this.#onRead = onRead;
    this.#text = text;
  }

  /**
   * The session in its current version, answered by the runner of the given priority. Rejects with `InputError`.
   * @param isCounted false to search its texts only: tokens are then counted on first use, and the list learns nothing
   */
  async open(entry: CatalogEntry, priority: Priority = "asked", isCounted = true): Promise<OpenedSession> {
    const key = entryKey(entry);
    const known = this.#opened.get(key) ?? (await this.#firstRead(entry, priority, isCounted));
    return known.by(this.#runners[priority]);
  }

  /**
   * Opens a session in the background so that both the list and the next client have it. Returns false for a session that was opened before: a client
   * follows it, and its readings leave out the list's facts. Rejects with `InputError`.
   */
  async openFirst(entry: CatalogEntry): Promise<boolean> {
    if (this.#versions.has(entry.id)) return false;
    await this.open(entry, "background");
    return true;
  }

  /** The session in a version that a client shows, if that is still held. */
  held(id: string, version: string): OpenedSession | undefined {
    return this.#opened.get(`${id} ${version}`)?.by(this.#runners.asked);
  }

  /** The encoded columns of such a version, packed; `undefined` if it is no longer held. Rejects with `InputError` and `UnknownEstimatorError`. */
  heldColumns(id: string, version: string, wanted: WantedColumns, encoding: Encoding): Promise<Packed> | undefined {
    const held = this.held(id, version);
    return held === undefined ? undefined : encodedColumns(held, wanted).then((bytes) => pack(bytes, encoding));
  }

  /**
   * The delta to the client's columns of an earlier version, packed; `undefined` if that version is no longer held. Rejects with `InputError` and
   * `UnknownEstimatorError`.
   */
  async delta(
    entry: CatalogEntry,
    since: string,
    wanted: WantedColumns,
    encoding: Encoding,
  ): Promise<Packed | undefined> {
    const earlier = this.held(entry.id, since);
    if (earlier === undefined) return undefined;
    const later = await this.open(entry);
    // The client's counts are continued, however large the file has become.
    const counted = { ...wanted, estimators: idsOf(wanted.estimators, earlier.summary, earlier.version.bytes) };
    const [before, after] = await Promise.all([columnsOf(earlier, counted), columnsOf(later, counted)]);
    return pack(encodeDelta(columnsDelta(before, after)), encoding);
  }

  /** The encoded columns with these token columns and measures, packed. Rejects with `InputError` and `UnknownEstimatorError`. */
  columns(entry: CatalogEntry, wanted: WantedColumns, encoding: Encoding): Promise<Packed> {
    const key = [entryKey(entry), encoding, wantedKey(wanted)].join(" ");
    const known = this.#bodies.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return this.#packing.do(key, async () => {
      const body = await pack(await encodedColumns(await this.open(entry), wanted), encoding);
      this.#bodies.set(key, body);
      return body;
    });
  }

  /** A caller with the priority "asked" does not wait for the background, which may reach the file late, but uses its result if that comes first. */
  #firstRead(entry: CatalogEntry, priority: Priority, isCounted: boolean): Promise<OpenedSession> {
    const key = entryKey(entry);
    const reading = this.#opening[priority].do(key, () => this.#read(entry, priority, isCounted));
    const begun = priority === "asked" ? this.#opening.background.running(key) : undefined;
    // If both fail, the caller's own reading reports the reason.
    return begun === undefined ? reading : Promise.race([reading, begun.catch(() => reading)]);
  }

  async #read(entry: CatalogEntry, priority: Priority, isCounted: boolean): Promise<OpenedSession> {
    const key = entryKey(entry);
    const { path, name, version } = entry;
    const { format, session: part } = version;
    // The list receives the result, if it has a row of it.
    const isListed = isCounted && format === undefined && part === undefined && !this.#isFollowed(entry);
    const indexed = isListed ? this.#text : undefined;
    const task = { path, name, format, session: part, indexed, growing: mayGrow(version), counted: isCounted };
    const answer = await this.#runners[priority].run("ingest", task);
    // Two callers of different priorities may both have read the file: the session of the first may already have counts.
    const session = this.#opened.get(key) ?? new OpenedSession(path, answer, this.#runners[priority]);
    this.#opened.set(key, session);
    this.#dropOldVersions(entry.id, key);
    this.#onRead(entry, answer);
    return session;
  }

  /** True if this continues an earlier reading: the list need not learn every line that is added to a file. */
  #isFollowed({ id, version }: CatalogEntry): boolean {
    return mayGrow(version) && this.#versions.has(id);
  }

  /** For a followed session a few versions are held, because clients may still query the previous one. */
  #dropOldVersions(id: string, newest: string): void {
    const keys = [...(this.#versions.get(id) ?? []).filter((key) => key !== newest), newest];
    for (const key of keys.splice(0, keys.length - HELD_VERSIONS)) this.#opened.delete(key);
    this.#versions.set(id, keys);
  }
}
