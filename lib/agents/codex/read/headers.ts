import type { SourceRecord } from "@/lib/core/records/fields";
import { objectField } from "@/lib/core/records/fields";
import type { SessionMark } from "@/lib/core/transcript/reader";
import { threadOfEvent } from "../messages/exec-events";
import { bareHeaderOf, type SessionMeta, sessionMetaOf } from "./schema";

/** Whose header it is: this session's, that of a session it was copied from, or another session's. */
export type HeaderKind = "own" | "ancestor" | "another";

type Header = Pick<SessionMeta, "id" | "forkedFrom" | "parentThread">;

/**
 * Tells a file's headers apart. After its own header, a fork has those of the threads that it was copied from; a resumed session repeats its own.
 * Any other header begins another session in the same file.
 */
export class Headers {
  #own: string | undefined;
  #seen = false;
  /** Threads that the last session names as its origin, and whose headers may still follow. */
  readonly #named = new Set<string | undefined>();
  #follows = false;

  /** Takes the next header. A header without an id belongs to the session before it. */
  add({ id, forkedFrom, parentThread }: Header): HeaderKind {
    const first = !this.#seen;
    const known = id === undefined || id === this.#own;
    const ancestor = !first && !known && (this.#follows || this.#named.delete(id));
    this.#seen = true;
    this.#follows = true;
    if (ancestor) return "ancestor";
    if (!first && known) return "own";
    this.#own = id;
    this.#named.clear();
    for (const thread of [forkedFrom, parentThread]) if (thread !== undefined) this.#named.add(thread);
    return first ? "own" : "another";
  }

  /** Takes a record that is no header. */
  record(): void {
    this.#follows = false;
  }
}

/** Tells which session each record of one file belongs to. */
export function sessionMarks(): (record: SourceRecord) => SessionMark {
  const headers = new Headers();
  return ({ value }) => {
    const meta = value.type === "session_meta" ? objectField(value.payload) : undefined;
    const header = meta === undefined ? bareHeader(value) : sessionMetaOf(meta);
    if (header === undefined) headers.record();
    const begins = header !== undefined && headers.add(header) !== "ancestor";
    return begins ? { session: header.id } : {};
  };
}

function bareHeader(value: SourceRecord["value"]): Header | undefined {
  const thread = threadOfEvent(value);
  if (thread !== undefined) return { id: thread.id, forkedFrom: undefined, parentThread: undefined };
  const header = "type" in value || !("instructions" in value) ? undefined : bareHeaderOf(value);
  return header === undefined ? undefined : { id: header.id, forkedFrom: undefined, parentThread: undefined };
}
