import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { encodeColumns } from "@/lib/core/columns/codec";
import { withTokenColumn } from "@/lib/core/columns/token-columns";
import { type CatalogEntry, entryKey } from "./catalog/catalog";
import { OpenedSession } from "./opened-session";
import type { IngestAnswer, TaskRunner } from "./tasks";

/** How an answer's body is packed. */
export type Encoding = "br" | "gzip" | "identity";

/** Columns beyond the basic ones. */
export interface WantedColumns {
  /** Estimators whose token columns are wanted. */
  readonly estimators: readonly string[];
  /** Policies whose measures are wanted. */
  readonly policies: readonly string[];
}

/** What is wanted as one word, for keys and entity tags. */
export function wantedKey({ estimators, policies }: WantedColumns): string {
  return `${estimators.join("+")}~${policies.join("+")}`;
}

/** Memory for sessions as numbers, and for packed answers. */
const SESSION_BYTES = 128 << 20;
const BODY_BYTES = 64 << 20;

const PACK: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  identity: async (bytes) => bytes,
};

/** The sessions that were asked about last. Everything is read, counted and packed once, however many ask at once. */
export class SessionStore {
  readonly #runner: TaskRunner;
  readonly #onRead: (entry: CatalogEntry, answer: IngestAnswer) => void;
  readonly #opened = new LRUCache<string, OpenedSession>({ maxSize: SESSION_BYTES, sizeCalculation: (s) => s.bytes });
  readonly #opening = new Map<string, Promise<OpenedSession>>();
  readonly #bodies = new LRUCache<string, Uint8Array>({ maxSize: BODY_BYTES, sizeCalculation: (b) => b.length + 1 });
  readonly #packing = new Map<string, Promise<Uint8Array>>();

  /** @param onRead told of every file that was read */
  constructor(runner: TaskRunner, onRead: (entry: CatalogEntry, answer: IngestAnswer) => void = () => {}) {
    this.#runner = runner;
    this.#onRead = onRead;
  }

  /** The session as its file is now. Rejects with `InputError`. */
  open(entry: CatalogEntry): Promise<OpenedSession> {
    const key = entryKey(entry);
    const known = this.#opened.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return shared(this.#opening, key, async () => {
      const { path, name, version } = entry;
      const { format, session: part } = version;
      const answer = await this.#runner.ingest({ path, name, format, session: part });
      const session = new OpenedSession(entry.path, answer, this.#runner);
      this.#opened.set(key, session);
      this.#onRead(entry, answer);
      return session;
    });
  }

  /** The encoded columns with these token columns and measures, packed. Rejects with `InputError` and `UnknownEstimatorError`. */
  columns(entry: CatalogEntry, wanted: WantedColumns, encoding: Encoding): Promise<Uint8Array> {
    const key = [entryKey(entry), encoding, wantedKey(wanted)].join(" ");
    const known = this.#bodies.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return shared(this.#packing, key, async () => {
      const body = await PACK[encoding](await this.#encoded(entry, wanted));
      this.#bodies.set(key, body);
      return body;
    });
  }

  async #encoded(entry: CatalogEntry, { estimators, policies }: WantedColumns): Promise<Uint8Array> {
    const session = await this.open(entry);
    let columns = await session.columnsFor(policies);
    const counted = await Promise.all(estimators.map(async (id) => [id, await session.tokens(id)] as const));
    for (const [id, tokens] of counted) columns = withTokenColumn(columns, id, tokens);
    return encodeColumns(columns);
  }
}

/** Does the work once for all who ask while it is under way. */
function shared<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const promise = work().finally(() => running.delete(key));
  running.set(key, promise);
  return promise;
}
