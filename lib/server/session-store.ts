import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Bytes } from "@/lib/core/base/units";
import { encodeColumns } from "@/lib/core/columns/codec";
import { withTokenColumn } from "@/lib/core/columns/token-columns";
import { ownEstimator } from "@/lib/questions/own-estimator";
import { type CatalogEntry, entryKey } from "./catalog/entries";
import { Once } from "./once";
import { OpenedSession } from "./opened-session";
import type { IngestAnswer, Lane, Runners } from "./tasks";

/** How an answer's body is packed. */
export type Encoding = "br" | "gzip" | "identity";

/** Columns beyond the basic ones. */
export interface WantedColumns {
  /** Estimators whose token columns are wanted; `OWN` is that of the recording's agent. */
  readonly estimators: readonly string[];
  /** Policies whose measures are wanted. */
  readonly policies: readonly string[];
}

/** Stands for the estimator of the recording's own agent, for callers that do not know it before the file was read. */
export const OWN = "own";

/** For a larger file, nobody waits for the agent's own count, because that takes a second pass over the texts. */
const MOST_COUNTED_AT_ONCE: Bytes = 8e6;

/** The wanted columns as one word, for keys and entity tags. */
export function wantedKey({ estimators, policies }: WantedColumns): string {
  return `${estimators.join("+")}~${policies.join("+")}`;
}

/** The most memory for sessions as numbers, and for packed answers. */
const SESSION_BYTES = 128 << 20;
const BODY_BYTES = 64 << 20;

const PACK: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** The sessions that were asked about last. Everything is read, counted and packed once, however many ask at once. */
export class SessionStore {
  readonly #runners: Runners;
  readonly #onRead: (entry: CatalogEntry, answer: IngestAnswer) => void;
  readonly #opened = new LRUCache<string, OpenedSession>({ maxSize: SESSION_BYTES, sizeCalculation: (s) => s.bytes });
  /** Separate by who waits. */
  readonly #opening: Readonly<Record<Lane, Once<OpenedSession>>> = { asked: new Once(), background: new Once() };
  readonly #bodies = new LRUCache<string, Uint8Array>({ maxSize: BODY_BYTES, sizeCalculation: (b) => b.length + 1 });
  readonly #packing = new Once<Uint8Array>();

  /** @param onRead called for every file that was read */
  constructor(runners: Runners, onRead: (entry: CatalogEntry, answer: IngestAnswer) => void = () => {}) {
    this.#runners = runners;
    this.#onRead = onRead;
  }

  /** The session as its file is now, answered by the runner of the given lane. Rejects with `InputError`. */
  async open(entry: CatalogEntry, lane: Lane = "asked"): Promise<OpenedSession> {
    const key = entryKey(entry);
    const known = this.#opened.get(key) ?? (await this.#firstRead(entry, lane));
    return known.by(this.#runners[lane]);
  }

  /** The encoded columns with these token columns and measures, packed. Rejects with `InputError` and `UnknownEstimatorError`. */
  columns(entry: CatalogEntry, wanted: WantedColumns, encoding: Encoding): Promise<Uint8Array> {
    const key = [entryKey(entry), encoding, wantedKey(wanted)].join(" ");
    const known = this.#bodies.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return this.#packing.do(key, async () => {
      const body = await PACK[encoding](await this.#encoded(entry, wanted));
      this.#bodies.set(key, body);
      return body;
    });
  }

  /**
   * A caller in the lane "asked" does not wait for the background, which may take long to get to the file, but uses its result if that comes first.
   */
  #firstRead(entry: CatalogEntry, lane: Lane): Promise<OpenedSession> {
    const key = entryKey(entry);
    const reading = this.#opening[lane].do(key, () => this.#read(entry, lane));
    const begun = lane === "asked" ? this.#opening.background.running(key) : undefined;
    // If both fail, the caller's own reading says why.
    return begun === undefined ? reading : Promise.race([reading, begun.catch(() => reading)]);
  }

  async #read(entry: CatalogEntry, lane: Lane): Promise<OpenedSession> {
    const key = entryKey(entry);
    const { path, name, version } = entry;
    const { format, session: part } = version;
    // The list is told what was read, if it has a row of it.
    const indexed = format === undefined && part === undefined;
    const answer = await this.#runners[lane].ingest({ path, name, format, session: part, indexed });
    // Both lanes may have read the file: the session that came first may already have counted something.
    const session = this.#opened.get(key) ?? new OpenedSession(path, answer, this.#runners[lane]);
    this.#opened.set(key, session);
    this.#onRead(entry, answer);
    return session;
  }

  async #encoded(entry: CatalogEntry, { estimators, policies }: WantedColumns): Promise<Uint8Array> {
    const session = await this.open(entry);
    let columns = await session.columnsFor(policies);
    const own = entry.version.bytes <= MOST_COUNTED_AT_ONCE ? [ownEstimator(session.summary)] : [];
    const ids = new Set(estimators.flatMap((id) => (id === OWN ? own : [id])));
    const counted = await Promise.all([...ids].map(async (id) => [id, await session.tokens(id)] as const));
    for (const [id, tokens] of counted) columns = withTokenColumn(columns, id, tokens);
    return encodeColumns(columns);
  }
}
