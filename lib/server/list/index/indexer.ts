import { withShortLists } from "@/lib/queries/boundaries/summarise";
import type { IndexedText } from "../../base/config";
import { isInputError } from "../../base/input-error";
import type { IndexTask } from "../../jobs/jobs";
import type { HeadFacts } from "../../read/head";
import type { HeadTask, IngestAnswer } from "../../threads/tasks";
import type { CatalogEntry } from "../files/entries";
import type { SessionIndex } from "./session-index";

interface Worker {
  /** True if a client waits for a thread. */
  isAsked(): boolean;
  /** Files per request. */
  readonly atOnce: number;
  /** True to open large files whole, so that the next client does not wait for another reading. */
  readonly opensLarge: boolean;
  /** Searched words of the files. */
  readonly text: IndexedText;
  /** Runs in the background, here or elsewhere. */
  index(task: IndexTask): Promise<IngestAnswer>;
  /** Runs as soon as a file is read, because an open list waits for it. */
  head(task: HeadTask): Promise<HeadFacts>;
}

/** Time for reading the files of a list whole before their beginnings are read: most are done by then, and would be written twice. */
const HEADS_MS = 300;
/** Delay before the next check for waiting clients. */
const YIELD_MS = 40;
/** Of files of at least this size, only one is read at a time: each takes several times its size in memory. Sessions that fit are opened whole. */
const LARGE_BYTES = 8 << 20;

type Index = Pick<SessionIndex, "isRead" | "addResult" | "addHead" | "kinship" | "settled">;

/** Reads summaries of listed sessions in the background, newest first, and only while no client waits for a thread. */
export class Indexer {
  readonly #worker: Worker;
  readonly #index: Index;
  readonly #open: (entry: CatalogEntry) => Promise<boolean>;
  /** Unread files by id, and the order of reading: the next one is last. */
  readonly #wanted = new Map<string, CatalogEntry>();
  #order: string[] = [];
  readonly #reading = new Map<string, CatalogEntry>();
  /** Files that changed while they were being read. */
  readonly #later = new Map<string, CatalogEntry>();
  /** Files that vanished before or during reading. */
  readonly #gone = new Set<string>();
  /** Files whose beginning is read unless they are read whole first. */
  readonly #unseen = new Set<string>();
  /** Files whose beginning was read. */
  readonly #seen = new Set<string>();
  #looking: NodeJS.Timeout | undefined;
  #running = 0;
  #large: Promise<void> = Promise.resolve();
  #closed = false;
  #stopped = false;

  /** @param open opens a session whole and reports it to `addResult`; returns false without reading if the session was opened before */
  constructor(worker: Worker, index: Index, open: (entry: CatalogEntry) => Promise<boolean>) {
    this.#worker = worker;
    this.#index = index;
    this.#open = open;
  }

  /** Keeps facts from another reader, if they are new. */
  addResult(entry: CatalogEntry, { version, summary, sparkline, requestKeys, facts }: IngestAnswer): void {
    // One of several sessions in a file, or a file read as another format, is not a row of the list.
    if (facts === undefined || this.#index.isRead(entry) || this.#gone.has(entry.id)) return;
    this.#index.addResult(entry, {
      version,
      summary: withShortLists(summary),
      sparkline,
      error: null,
      requestKeys,
      facts,
    });
    this.#index.kinship.relate(false);
  }

  /** Adds unread files; the newest comes first. */
  want(entries: readonly CatalogEntry[]): void {
    // Every walk reports all files again: waiting ones keep their position.
    const added = entries.filter(
      (entry) => this.#wanted.get(entry.id) !== entry && !this.#reading.has(entry.id) && !this.#index.isRead(entry),
    );
    for (const entry of entries) {
      this.#gone.delete(entry.id);
      const reading = this.#reading.get(entry.id);
      if (reading !== undefined && reading !== entry) this.#later.set(entry.id, entry);
    }
    for (const entry of added) this.#wanted.set(entry.id, entry);
    if (added.length > 0) this.#order = [...this.#wanted.values()].sort(newestLast).map(({ id }) => id);
    this.#start();
  }

  /** Removes these, because their files have vanished. */
  drop(ids: readonly string[]): void {
    for (const id of ids) {
      this.#gone.add(id);
      this.#wanted.delete(id);
      this.#later.delete(id);
    }
    this.#order = this.#order.filter((id) => this.#wanted.has(id));
  }

  /** Allows a vanished file to be read again, since it reappeared. */
  reappeared(id: string): void {
    this.#gone.delete(id);
  }

  /** Moves these to the front, because a client shows them. */
  hurry(ids: readonly string[]): void {
    const first = ids.flatMap((id) => this.#wanted.get(id) ?? []);
    if (first.length === 0) return;
    const chosen = new Set(first.map(({ id }) => id));
    this.#order = [...this.#order.filter((id) => !chosen.has(id)), ...first.map(({ id }) => id).reverse()];
    for (const { id } of first) if (!this.#seen.has(id)) this.#unseen.add(id);
    this.#start();
    this.#looking ??= setTimeout(() => void this.#lookAtUnseen(), HEADS_MS).unref();
  }

  /** Schedules relations after a removal from the list. */
  rest(): void {
    if (this.#running === 0) void this.#finish();
  }

  /** True if the user stopped indexing. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Starts no further file until resumed; current reads finish. */
  stop(): void {
    this.#stopped = true;
  }

  resume(): void {
    this.#stopped = false;
    this.#start();
  }

  close(): void {
    this.#closed = true;
    this.#wanted.clear();
    this.#order = [];
    clearTimeout(this.#looking);
  }

  #start(): void {
    const { atOnce } = this.#worker;
    while (this.#running < Math.min(atOnce, this.#order.length) && !this.#closed && !this.#stopped) {
      this.#running += 1;
      void this.#run().finally(() => {
        this.#running -= 1;
        if (this.#running === 0) void this.#finish();
      });
    }
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const id = this.#stopped ? undefined : this.#order.pop();
      if (id === undefined) break;
      const entry = this.#wanted.get(id);
      this.#wanted.delete(id);
      while (this.#worker.isAsked() && !this.#closed) await delay(YIELD_MS);
      if (entry !== undefined && !this.#closed && !this.#index.isRead(entry)) {
        this.#reading.set(id, entry);
        await this.#read(entry);
        this.#reading.delete(id);
        await this.#wantLater(id);
      }
      this.#index.kinship.relate(false);
    }
  }

  /** Re-reads a file that changed while it was being read, unless the result has that change. */
  async #wantLater(id: string): Promise<void> {
    const later = this.#later.get(id);
    if (later === undefined) return;
    this.#later.delete(id);
    await this.#index.settled();
    this.want([later]);
  }

  /** Relations are found as soon as no file is left to read. */
  async #finish(): Promise<void> {
    await this.#index.settled();
    if (this.#running === 0 && !this.#closed) this.#index.kinship.relate(true);
  }

  /** Reads the beginnings of unread files, all at once: the threads queue them, and each takes milliseconds. */
  async #lookAtUnseen(): Promise<void> {
    this.#looking = undefined;
    const unseen = [...this.#unseen].flatMap((id) => this.#wanted.get(id) ?? []);
    this.#unseen.clear();
    if (this.#stopped) return;
    await Promise.all(
      unseen.map(async (entry) => {
        this.#seen.add(entry.id);
        // Reading the whole file reports the reason of an unreadable beginning.
        const head = await this.#worker.head({ path: entry.path }).catch(() => undefined);
        if (head !== undefined && this.#wanted.has(entry.id)) this.#index.addHead(entry, head);
      }),
    );
  }

  #isOpened({ version }: CatalogEntry): boolean {
    return this.#worker.opensLarge && version.bytes >= LARGE_BYTES;
  }

  #read(entry: CatalogEntry): Promise<void> {
    if (!this.#isOpened(entry)) return this.#readAndAdd(entry);
    const reading = this.#large.then(() => this.#readAndAdd(entry));
    this.#large = reading;
    return reading;
  }

  async #readAndAdd(entry: CatalogEntry): Promise<void> {
    const { path, name, version } = entry;
    try {
      const { bytes, mtimeMs } = version;
      const { text } = this.#worker;
      if (this.#isOpened(entry) && (await this.#open(entry))) return;
      this.addResult(entry, await this.#worker.index({ path, name, version: { bytes, mtimeMs }, text }));
    } catch (error) {
      const [sentence, errorCode] = isInputError(error)
        ? [error.message, error.code]
        : [`${entry.name} could not be read.`, "unreadable" as const];
      if (this.#closed || this.#gone.has(entry.id)) return;
      const program = isInputError(error) ? error.program : undefined;
      const errorProgram = program === undefined ? {} : { errorProgram: program };
      this.#index.addResult(entry, { summary: null, sparkline: null, error: sentence, errorCode, ...errorProgram });
    }
  }
}

function newestLast(a: CatalogEntry, b: CatalogEntry): number {
  return a.version.mtimeMs - b.version.mtimeMs;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
