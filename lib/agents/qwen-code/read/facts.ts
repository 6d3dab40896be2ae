import type { LineNumber, Tokens } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { ParentKind } from "@/lib/core/transcript/model";
import { idOf } from "../../ids";
import { titleOf } from "../../title";
import { type Envelope, stringOf } from "./schema";

/** Collects what a file says about its session as a whole. */
export class FactFinder {
  readonly #sessions = new Map<string, { records: number; readonly line: LineNumber }>();
  readonly #parents = new Map<string, ParentKind>();
  #customTitle: string | undefined;
  #version: string | undefined;
  #project: string | undefined;
  #branch: string | undefined;
  #window: Tokens | undefined;

  /** Takes the fields of the next record. */
  add(envelope: Envelope, line: LineNumber): void {
    const { sessionId, payload } = envelope;
    const known = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (known !== undefined) known.records += 1;
    else if (sessionId !== undefined) this.#sessions.set(sessionId, { records: 1, line });
    if (envelope.forkedFrom !== undefined) this.#parents.set(envelope.forkedFrom, "fork");
    const parent = envelope.subtype === "parent_session" ? idOf(payload.parentSessionId) : undefined;
    if (parent !== undefined) this.#parents.set(parent, "resume");
    this.#version = envelope.version ?? this.#version;
    this.#project ??= envelope.cwd;
    this.#branch ??= envelope.gitBranch;
    if (envelope.subtype === "custom_title") {
      this.#customTitle = titleOf(stringOf(payload.customTitle)) ?? this.#customTitle;
    }
  }

  /** Takes the window that a response was recorded with. */
  window(tokens: Tokens | undefined): void {
    if (tokens !== undefined && tokens > 0) this.#window = tokens;
  }

  /**
   * Writes what was found. Session, folder and branch come from the first record, version and window from the last: a resumed session may
   * continue with another program and model.
   */
  write(builder: TranscriptBuilder, prompt: string | undefined, subagent: boolean): void {
    const [first, ...others] = [...this.#sessions];
    for (const [id, { line, records }] of others) builder.problem("several-sessions", line, id, records);
    for (const [session, kind] of this.#parents) if (session !== first?.[0]) builder.parent(session, kind);
    if (subagent && first !== undefined) builder.parent(first[0], "subagent");
    builder.facts({
      sessionId: first?.[0],
      title: this.#customTitle ?? prompt,
      agentVersion: this.#version,
      project: this.#project,
      branch: this.#branch,
      recordedWindow: this.#window,
    });
  }
}
