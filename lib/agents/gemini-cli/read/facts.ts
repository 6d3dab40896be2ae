import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { idOf, nameOf } from "../../ids";
import { titleOf } from "../../title";
import type { JsonObject } from "../messages/content";

/** Collects what a file says about its session as a whole; later lines win. */
export class Facts {
  /** The first id, and those that updates set: a resume continues under them. */
  readonly #own = new Set<string>();
  #sessionId: string | undefined;
  #isSubagent = false;
  #title: string | undefined;
  #project: string | undefined;

  /** Takes the fields of a session's line or of an update. */
  add(fields: JsonObject, isUpdate: boolean): void {
    const id = idOf(fields.sessionId);
    if (id !== undefined && (isUpdate || this.#own.size === 0)) this.#own.add(id);
    this.#sessionId = id ?? this.#sessionId;
    this.#isSubagent ||= fields.kind === "subagent";
    this.#title = titleOf(fields.summary) ?? this.#title;
    const folder: unknown = Array.isArray(fields.directories) ? fields.directories[0] : undefined;
    this.#project = nameOf(folder) ?? this.#project;
  }

  /** The id of another session, where a session's line names one. */
  another(fields: JsonObject): string | undefined {
    const id = idOf(fields.sessionId);
    return id === undefined || this.#own.size === 0 || this.#own.has(id) ? undefined : id;
  }

  /** @param prompt the first typed text, which names a session without a summary */
  write(builder: TranscriptBuilder, prompt: string | undefined): void {
    if (this.#isSubagent && this.#sessionId !== undefined) builder.ownAgent(this.#sessionId);
    builder.facts({ sessionId: this.#sessionId, title: this.#title ?? titleOf(prompt), project: this.#project });
  }
}
