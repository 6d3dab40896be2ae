import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { promptTitle } from "@/lib/agents/shared/title";
import type { LineNumber } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Entry } from "./schema";

/** Collects a file's facts about its session as a whole. It has no title, so the first prompt names it. */
export class SessionFacts {
  readonly #sessions = new Map<string, { records: number; line: LineNumber }>();
  #title: string | undefined;
  #version: string | undefined;
  #project: string | undefined;
  #branch: string | undefined;

  /** Adds the fields of the next entry. */
  add(entry: Entry, line: LineNumber): void {
    const session = idOf(entry.sessionId);
    const known = session === undefined ? undefined : this.#sessions.get(session);
    if (known !== undefined) known.records += 1;
    else if (session !== undefined) this.#sessions.set(session, { records: 1, line });
    this.#version = nameOf(entry.version) ?? this.#version;
    this.#project ??= nameOf(entry.cwd);
    this.#branch ??= nameOf(entry.gitBranch);
  }

  /** Adds a typed prompt. */
  prompt(text: string): void {
    this.#title = promptTitle(this.#title, text);
  }

  /** Writes the collected facts. The version is the last one; folder and branch are those at the start of the session. */
  write(builder: TranscriptBuilder): void {
    const sessions = [...this.#sessions].sort(([, a], [, b]) => b.records - a.records || a.line - b.line);
    for (const [id, { line, records }] of sessions.slice(1)) {
      builder.problem("several-sessions", line, id, records);
      builder.parent(id, "resume");
    }
    builder.facts({
      sessionId: sessions[0]?.[0],
      title: this.#title,
      agentVersion: this.#version,
      project: this.#project,
      branch: this.#branch,
    });
  }
}
