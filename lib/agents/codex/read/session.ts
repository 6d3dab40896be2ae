import type { Tokens } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { SourceRecord } from "@/lib/core/transcript/reader";
import { idOf } from "../../ids";
import { type HeaderKind, Headers } from "./headers";
import type { BareHeader, SessionMeta, TurnContext } from "./schema";

/** Writes the facts about the session: who, where, which model, which window, and the base instructions. */
export class SessionFactsReader {
  readonly #builder: TranscriptBuilder;
  readonly #headers = new Headers();
  #id: string | undefined;
  #seen = false;
  /** The session whose header came last, where it is not the first one. */
  #another: { readonly id: string | undefined } | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** The first one is the thread's own. A fork repeats its parents', and a resumed session its own. */
  meta(meta: SessionMeta | undefined, record: SourceRecord): void {
    if (meta === undefined) return;
    const { id } = meta;
    const kind = this.#headers.add(meta);
    if (this.#seen) {
      this.#furtherHeader(kind, id, record);
      return;
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
  }

  #furtherHeader(kind: HeaderKind, id: string | undefined, { line }: SourceRecord): void {
    if (kind === "another") this.#another = id === this.#id ? undefined : { id };
    else if (kind === "own") this.#builder.problem("duplicate-record", line, "session_meta");
    else if (id !== undefined && this.#another === undefined) this.#builder.parent(id, "fork");
  }

  /** Takes every record, once it was read: what stands behind another session's header is that session's. */
  record({ line }: SourceRecord, isHeader: boolean): void {
    if (!isHeader) this.#headers.record();
    if (this.#another !== undefined) this.#builder.problem("several-sessions", line, this.#another.id);
  }

  /** A header of the bare form. */
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
      if (origin !== undefined && origin !== parentThread) this.#builder.parent(origin, "fork");
    }
  }

  /** A thread that this one started: the event names the call and the new thread. */
  spawned(payload: Readonly<Record<string, unknown>>): void {
    const thread = idOf(payload.new_thread_id);
    if (thread !== undefined) this.#builder.subagent(thread, idOf(payload.call_id));
  }

  turn(context: TurnContext | undefined): void {
    if (context?.model !== undefined) this.#builder.model(context.model);
  }

  /** The window as recorded: the effective one. The last of the file counts. */
  window(tokens: Tokens | undefined): void {
    this.#builder.facts({ recordedWindow: tokens });
  }

  #overhead(text: string, { line, offset, length }: SourceRecord): void {
    this.#builder.overhead({
      category: "systemPrompt",
      name: "base instructions",
      text: this.#builder.text(text),
      source: { line, offset, length, part: 0 },
    });
  }
}
