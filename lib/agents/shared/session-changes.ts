import type { TranscriptBuilder } from "@/lib/core/transcript/builder";

/** Reports the records of a file that belong to another session than its first records. A record without an id belongs to the session before it. */
export class SessionChanges {
  readonly #builder: TranscriptBuilder;
  /** Ids of the file's first session. One that continues it has another id. */
  readonly #first = new Set<string>();
  #current: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** The session of the last record. */
  get current(): string | undefined {
    return this.#current;
  }

  /** @param continues true if the session continues the one before it, under another id */
  record(session: string | undefined, line: number, continues = false): void {
    const isOfFirst = this.#current === undefined || this.#first.has(this.#current);
    if (session !== undefined && (this.#first.size === 0 || (continues && isOfFirst))) this.#first.add(session);
    this.#current = session ?? this.#current;
    if (this.#current === undefined || this.#first.has(this.#current)) return;
    this.#builder.problem("several-sessions", line, this.#current);
  }
}
