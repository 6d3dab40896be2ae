import type { SourceRecord } from "@/lib/core/records/fields";
import { objectField } from "@/lib/core/records/fields";
import type { SessionMark } from "@/lib/core/transcript/reader";
import { threadOfEvent } from "../messages/exec-events";
import { bareHeaderOf, type SessionMeta, sessionMetaOf } from "./schema";

/** Owner of a header: this session, an ancestor that it was copied from, or another session. */
export type HeaderKind = "own" | "ancestor" | "another";

type Header = Pick<SessionMeta, "id" | "forkedFrom" | "parentThread">;

/**
 * Classifies a file's headers. After its own header, a fork has those of the threads that it was copied from; a resumed session repeats its own. Any
 * other header begins another session in the same file.
 */
export class Headers {
  #own: string | undefined;
  #seen = false;
  /** Threads named by the last session as its origin, whose headers may still follow. */
  readonly #named = new Set<string | undefined>();
  #follows = false;

  /** Adds the next header. A header without an id belongs to the session before it. */
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

  /** Adds a record that is not a header. */
  record(): void {
    this.#follows = false;
  }
}

/** Returns a function that gives each record of one file its session. */
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
