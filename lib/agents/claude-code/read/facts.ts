import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { promptTitle, subjectTitle, titleOf } from "@/lib/agents/shared/title";
import type { LineNumber } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { UserOrigin } from "./origin";
import type { Envelope } from "./schema";

/** Collects a file's facts about its session as a whole. */
export class FactFinder {
  readonly #sessions = new Map<string, { records: number; line: LineNumber }>();
  /** The sessions that a branched session copied records from. */
  readonly #origins = new Set<string>();
  readonly #summaries: { readonly title: string; readonly leaf: string | undefined }[] = [];
  #customTitle: string | undefined;
  #aiTitle: string | undefined;
  #prompt: string | undefined;
  #sidechainPrompt: string | undefined;
  #command: string | undefined;
  #version: string | undefined;
  #project: string | undefined;
  #branch: string | undefined;

  /** Adds the fields of the next record. */
  add(envelope: Envelope, line: LineNumber): void {
    const session = idOf(envelope.sessionId);
    if (session !== undefined) {
      const known = this.#sessions.get(session);
      if (known === undefined) this.#sessions.set(session, { records: 1, line });
      else known.records += 1;
    }
    const origin = idOf(envelope.forkedFrom);
    if (origin !== undefined && origin !== session) this.#origins.add(origin);
    this.#version = envelope.version ?? this.#version;
    this.#project ??= nameOf(envelope.cwd);
    this.#branch ??= nameOf(envelope.gitBranch);
    this.#customTitle = titleOf(envelope.customTitle) ?? this.#customTitle;
    this.#aiTitle = titleOf(envelope.aiTitle) ?? this.#aiTitle;
    const title = envelope.type === "summary" ? titleOf(envelope.summary) : undefined;
    if (title !== undefined) this.#summaries.push({ title, leaf: idOf(envelope.leafUuid) });
  }

  /** Branch and folder of a record, each if it differs from the session's; a record that names none has the session's. */
  placeOf({ gitBranch, cwd }: Envelope): { readonly branch: string | undefined; readonly folder: string | undefined } {
    const [branch, folder] = [nameOf(gitBranch), nameOf(cwd)];
    return {
      branch: branch === this.#branch ? undefined : branch,
      folder: folder === this.#project ? undefined : folder,
    };
  }

  /** Adds a prompt. The first prompt with text names a session without a title; a command names one that has no prompt either. */
  prompt(origin: UserOrigin, text: string, sidechain: boolean): void {
    if (origin === "command") this.#command ??= titleOf(text);
    else if (origin === "typed" && sidechain) this.#sidechainPrompt = promptTitle(this.#sidechainPrompt, text);
    else if (origin === "typed") this.#prompt = promptTitle(this.#prompt, text);
  }

  /** Writes the collected facts. The version is the last one, since it decides what happens next; folder and branch are those at the start. */
  write(builder: TranscriptBuilder, known: (uuid: string) => boolean, subagentFile: boolean): void {
    const sessions = [...this.#sessions].sort(([, a], [, b]) => b.records - a.records || a.line - b.line);
    for (const [id, { line, records }] of sessions.slice(1)) {
      builder.problem("several-sessions", line, id, records);
      builder.parent(id, "resume");
    }
    for (const origin of this.#origins) builder.parent(origin, "fork");
    if (subagentFile && sessions[0] !== undefined) builder.parent(sessions[0][0], "subagent");
    builder.facts({
      sessionId: sessions[0]?.[0],
      title: this.#title(known, subagentFile),
      agentVersion: this.#version,
      project: this.#project,
      branch: this.#branch,
    });
  }

  /** The title: a given name, or else a summary of this session, its first prompt, or a summary of another session; the first that states a subject. */
  #title(known: (uuid: string) => boolean, subagentFile: boolean): string | undefined {
    const own = this.#summaries.filter(({ leaf }) => leaf !== undefined && known(leaf)).at(-1)?.title;
    const prompt = (subagentFile ? this.#sidechainPrompt : this.#prompt) ?? this.#command;
    return subjectTitle([this.#customTitle, this.#aiTitle, own, prompt, this.#summaries.at(-1)?.title]);
  }
}
