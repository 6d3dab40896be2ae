import { idOf } from "@/lib/agents/shared/ids";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type HeaderKind, Headers } from "./headers";
import type { BareHeader, SessionMeta, TurnContext } from "./schema";
import { timeOf } from "./time";

/**
 * Maximum milliseconds for a fork to write its copies, which bear the time of writing or, in early releases, their original times. No model answers sooner.
 * Source: README.md, "Cost of a request".
 */
const MAX_COPYING: Milliseconds = 1000;
/** The longest pause between two copied records; a long history takes longer than `MAX_COPYING`. No model answers within it. */
const COPY_PAUSE: Milliseconds = 100;

/** Writes the facts about the session: ids, folder, model, window, and the base instructions. */
export class SessionFactsReader {
  readonly #builder: TranscriptBuilder;
  readonly #headers = new Headers();
  #id: string | undefined;
  #seen = false;
  #hasWrapped = false;
  /** Requests up to this time were copied from the session's origin threads; `undefined` if it names none. */
  copiedUntil: Milliseconds | undefined;
  /** The time of the first header. */
  #begunAt: Milliseconds | undefined;
  /** The time of the last record written without a pause since the session began. */
  #unbroken: Milliseconds | undefined;
  /** The session of the last header, if that is not the first one. */
  #another: { readonly id: string | undefined } | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** Reads a header. The first one is the thread's own; a fork repeats its parents' headers, a resumed session its own. Returns the header if it is the session's own. */
  meta(meta: SessionMeta | undefined, record: SourceRecord): SessionMeta | undefined {
    if (meta === undefined) return undefined;
    this.#noteCopies(meta, record);
    const { id } = meta;
    const kind = this.#headers.add(meta);
    if (this.#seen) {
      this.#furtherHeader(kind, id, record);
      return kind === "own" ? meta : undefined;
    }
    this.#seen = true;
    this.#id = id;
    this.#builder.facts({
      sessionId: id,
      agentVersion: meta.version,
      project: meta.cwd,
      branch: meta.branch,
    });
    this.#parents(meta);
    if (meta.historyBase !== undefined) this.#builder.problem("missing-parent", record.line, "history_base");
    if (meta.baseInstructions !== undefined) this.#overhead(meta.baseInstructions, record);
    return meta;
  }

  /** Reads a record's time. Called for every record before the record itself is read. */
  time(at: Milliseconds | undefined): void {
    if (at === undefined || this.#unbroken === undefined) return;
    if (at > this.#unbroken + COPY_PAUSE) this.#unbroken = undefined;
    else {
      this.#unbroken = Math.max(this.#unbroken, at);
      if (this.copiedUntil !== undefined) this.copiedUntil = Math.max(this.copiedUntil, at + 1);
    }
  }

  #noteCopies({ id, forkedFrom, parentThread }: SessionMeta, { value }: SourceRecord): void {
    if (!this.#seen) {
      this.#begunAt = this.#unbroken = timeOf(value);
      if (forkedFrom !== undefined) this.#copiesWithin(MAX_COPYING);
      // A subagent without `forked_from_id` may have called a fast model at once: only records without a pause are copies.
      else if (parentThread !== undefined) this.#copiesWithin(1);
    } else if (id !== undefined && id !== this.#id && this.#another === undefined) this.#copiesWithin(MAX_COPYING);
  }

  #copiesWithin(time: Milliseconds): void {
    if (this.#begunAt !== undefined) this.copiedUntil = Math.max(this.copiedUntil ?? 0, this.#begunAt + time);
  }

  #furtherHeader(kind: HeaderKind, id: string | undefined, { line }: SourceRecord): void {
    if (kind === "another") this.#another = id === this.#id ? undefined : { id };
    else if (kind === "own") this.#builder.problem("duplicate-record", line, "session_meta");
    else if (id !== undefined && this.#another === undefined) this.#builder.parent(id, "fork");
  }

  /** Reads the kind of a wrapped record. The program writes the header first, so a file without it lacks its beginning. */
  wrapped({ line }: SourceRecord, isHeader: boolean): void {
    if (!isHeader && !this.#seen && !this.#hasWrapped) this.#builder.problem("missing-parent", line, "session_meta");
    this.#hasWrapped = true;
  }

  /** Notes every record after it was read: all records after another session's header belong to that session. */
  record({ line }: SourceRecord, isHeader: boolean): void {
    if (!isHeader) this.#headers.record();
    if (this.#another !== undefined) this.#builder.problem("several-sessions", line, this.#another.id);
  }

  /** Reads a header of the bare format. */
  bareHeader(header: BareHeader | undefined, record: SourceRecord): void {
    if (header === undefined) return;
    const kind = this.#headers.add({ id: header.id, forkedFrom: undefined, parentThread: undefined });
    if (this.#seen) {
      this.#furtherHeader(kind, header.id, record);
      return;
    }
    this.#seen = true;
    this.#id = header.id;
    this.#builder.facts({ sessionId: header.id, branch: header.branch });
  }

  #parents({ parentThread, forkedFrom, historyBase }: SessionMeta): void {
    if (parentThread !== undefined) {
      this.#builder.parent(parentThread, "subagent");
      if (this.#id !== undefined) this.#builder.ownAgent(this.#id);
    }
    for (const origin of new Set([forkedFrom, idOf(historyBase)])) {
      // A further file of the same thread names the one before it: that is not another session.
      if (origin !== undefined && origin !== parentThread && origin !== this.#id) this.#builder.parent(origin, "fork");
    }
  }

  /** Reads an event about a subagent thread started by this one, and the call that started it. */
  spawned(payload: Readonly<Record<string, unknown>>): void {
    const thread = idOf(payload.new_thread_id);
    if (thread !== undefined) this.#builder.subagent(thread, idOf(payload.call_id));
  }

  turn(context: TurnContext | undefined): void {
    if (context?.model !== undefined) this.#builder.model(context.model);
  }

  /** Reads a recorded window, which is the effective one. The last in the file counts. */
  window(tokens: Tokens | undefined): void {
    this.#builder.facts({ recordedWindow: tokens });
  }

  #overhead(text: string, { line, offset, length }: SourceRecord): void {
    this.#builder.systemPrompt(text, { line, offset, length, part: 0 }, "base instructions");
  }
}
