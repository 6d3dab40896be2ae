import type { NewContent } from "./nodes";
import type { UserOrigin } from "./origin";

const NONE = -1;
/** Minimum number of consecutive copies that count as history; a single record may be written twice for other reasons. */
const MIN_COPIES = 2;
/** Origins of records that a client writes around a compaction. */
const NOT_TYPED: ReadonlySet<UserOrigin> = new Set(["command", "output", "context"]);

/**
 * Finds history that a compaction appended to its file again: copies of earlier records with their uuids, followed by the compaction's boundary. The
 * next record (a hook's, a command's, or the boundary itself) names the last copied record, although it continues the session: that is not a rewind.
 * Source: README.md, "Traps".
 */
export class ReappendedHistory {
  /** By the number of the last copied record's uuid, the first node whose children continue the session. */
  readonly #from = new Map<number, number>();
  #last = NONE;
  #messages = 0;
  /** The first node after the copies; −1 if none follows yet. */
  #next = NONE;

  /**
   * Adds a record that was skipped as a copy.
   * @param isMessage true for a user or assistant record
   */
  copy(uuid: number, isMessage: boolean): void {
    if (this.#next !== NONE) this.#end();
    this.#last = uuid;
    if (isMessage) this.#messages += 1;
  }

  /** Adds the next record that is not a copy, before it gets its index. */
  push(content: NewContent, index: number): void {
    if (this.#messages === 0) return;
    if (this.#next === NONE) this.#next = index;
    if (content.kind === "boundary" && this.#messages >= MIN_COPIES && !this.#from.has(this.#last))
      this.#from.set(this.#last, this.#next);
    const isTurn = content.kind === "user" && content.conversation && !NOT_TYPED.has(content.origin);
    if (isTurn || content.kind === "response" || content.kind === "boundary") this.#end();
  }

  /** True if a child of a record was written after copies that end with that record. */
  isBehind(parent: number, index: number): boolean {
    const from = this.#from.get(parent);
    return from !== undefined && index >= from;
  }

  #end(): void {
    this.#last = NONE;
    this.#messages = 0;
    this.#next = NONE;
  }
}
