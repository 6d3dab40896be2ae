import type { SessionSummary, Sparkline } from "@/lib/api/contract";
import type { RequestKeys } from "@/lib/core/transcript/request-keys";
import { withShortLists } from "@/lib/questions/summarise";
import type { HeadFacts } from "../ingest/head";
import { type InputErrorCode, isInputError } from "../ingest/input-error";
import type { HeadTask, IngestAnswer, IngestTask } from "../tasks";
import { type CatalogEntry, entryKey } from "./catalog";

/** What was learnt about a session's file. */
export interface Indexed {
  readonly summary: SessionSummary | null;
  readonly sparkline: Sparkline | null;
  /** One sentence where it could not be read. */
  readonly error: string | null;
  readonly errorCode?: InputErrorCode;
  readonly requestKeys?: RequestKeys;
}

interface Worker {
  /** Whether somebody waits for a thread. */
  isAsked(): boolean;
  /** Runs in the background. */
  ingest(task: IngestTask): Promise<IngestAnswer>;
  /** Runs at once, because a list that somebody looks at waits for it. */
  head(task: HeadTask): Promise<HeadFacts>;
}

/** How long to wait before checking again whether somebody waits. */
const YIELD_MS = 40;
/** A file of at least this size is opened whole when it is learnt. */
const OPENED_BYTES = 8 << 20;
/** How many summaries are kept; beyond that the oldest are dropped, and learnt anew when they are looked at. */
const KEPT = 20_000;

/** Learns the summaries of listed sessions in the background: one file at a time, and only while nobody waits for a thread. */
export class Indexer {
  readonly #worker: Worker;
  readonly #known = new Map<string, Indexed>();
  /** What the beginnings of files say, for those that are not known yet. */
  readonly #heads = new Map<string, HeadFacts>();
  /** Files whose beginning is looked at before any file is read whole. */
  #unseen: CatalogEntry[] = [];
  #queue: CatalogEntry[] = [];
  #queued = new Set<string>();
  #running = false;
  #generation = 0;
  #headsRead = 0;
  #closed = false;

  readonly #open: (entry: CatalogEntry) => Promise<unknown>;

  /** @param open opens a session whole and reports it to `learn` */
  constructor(worker: Worker, open: (entry: CatalogEntry) => Promise<unknown>) {
    this.#worker = worker;
    this.#open = open;
  }

  /** Changes with every session that is learnt. */
  get generation(): number {
    return this.#generation;
  }

  /** Changes with everything that is learnt, including the beginning of a file. */
  get revision(): number {
    return this.#generation + this.#headsRead;
  }

  /** What is known of this version of a session. */
  of(entry: CatalogEntry): Indexed | undefined {
    return this.#known.get(entryKey(entry));
  }

  /** What the file's beginning says, if no more is known of this version of a session. */
  headOf(entry: CatalogEntry): HeadFacts | undefined {
    return this.#heads.get(entryKey(entry));
  }

  /** Keeps what someone else has learnt, if it is new. */
  learn(entry: CatalogEntry, { summary, sparkline, requestKeys }: IngestAnswer): void {
    if (this.of(entry)?.error === null) return;
    this.#keep(entry, { summary: withShortLists(summary), sparkline, error: null, requestKeys });
  }

  /** Sets what is to be learnt, in this order. */
  want(entries: readonly CatalogEntry[]): void {
    this.#queue = entries.filter((entry) => this.of(entry) === undefined).slice(0, KEPT);
    this.#queued = new Set(this.#queue.map(entryKey));
    if (!this.#running && this.#queue.length > 0) void this.#run();
  }

  /** Moves these to the front, because someone is looking at them. */
  hurry(entries: readonly CatalogEntry[]): void {
    const first = entries.filter((entry) => this.#queued.has(entryKey(entry)));
    const keys = new Set(first.map(entryKey));
    this.#queue = [...first, ...this.#queue.filter((entry) => !keys.has(entryKey(entry)))];
    this.#unseen = first.filter((entry) => this.headOf(entry) === undefined);
  }

  /** How many of these are known. */
  progress(entries: readonly CatalogEntry[]): { done: number; total: number } {
    const done = entries.filter((entry) => this.of(entry) !== undefined).length;
    return { done, total: entries.length };
  }

  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#unseen = [];
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (!this.#closed) {
      await this.#lookAtUnseen();
      const entry = this.#queue.shift();
      if (entry === undefined) break;
      this.#queued.delete(entryKey(entry));
      while (this.#worker.isAsked() && !this.#closed) await delay(YIELD_MS);
      if (!this.#closed && this.of(entry) === undefined) await this.#index(entry);
    }
    this.#running = false;
  }

  /** Asks for all of them at once: the threads take one after the other, and each takes milliseconds. */
  async #lookAtUnseen(): Promise<void> {
    const unseen = this.#unseen;
    this.#unseen = [];
    await Promise.all(
      unseen.map(async (entry) => {
        // If the beginning cannot be read, the reason is reported when the file is read whole.
        const head = await this.#worker.head({ path: entry.path }).catch(() => undefined);
        if (head === undefined || this.of(entry) !== undefined) return;
        this.#heads.set(entryKey(entry), head);
        this.#headsRead += 1;
      }),
    );
  }

  async #index(entry: CatalogEntry): Promise<void> {
    try {
      // A large file is opened whole, so that whoever asks for it next need not wait for it to be read again.
      if (entry.version.bytes >= OPENED_BYTES) await this.#open(entry);
      else this.learn(entry, await this.#worker.ingest({ path: entry.path, name: entry.name, summaryOnly: true }));
    } catch (error) {
      const [sentence, errorCode] = isInputError(error)
        ? [error.message, error.code]
        : [`${entry.name} could not be read.`, "unreadable" as const];
      if (!this.#closed) this.#keep(entry, { summary: null, sparkline: null, error: sentence, errorCode });
    }
  }

  #keep(entry: CatalogEntry, indexed: Indexed): void {
    this.#generation += 1;
    this.#known.set(entryKey(entry), indexed);
    this.#heads.delete(entryKey(entry));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT) break;
      this.#known.delete(oldest);
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
