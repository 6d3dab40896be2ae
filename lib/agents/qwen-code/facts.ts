import type { LineNumber, Tokens } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type Envelope, stringOf } from "./schema";

const TITLE_CHARS = 80;
/** A prompt can be a megabyte: its beginning is enough. */
const TITLE_SEARCH_CHARS = 2000;

/** What a file says about its session as a whole. */
export class FactFinder {
  readonly #sessions = new Map<string, LineNumber>();
  #customTitle: string | undefined;
  #version: string | undefined;
  #project: string | undefined;
  #branch: string | undefined;
  #window: Tokens | undefined;

  /** Takes the fields of the next record. */
  add(envelope: Envelope, line: LineNumber): void {
    const { sessionId, payload } = envelope;
    if (sessionId !== undefined && !this.#sessions.has(sessionId)) this.#sessions.set(sessionId, line);
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
   * Writes what was found. Session, folder and branch are the first record's, version and window the last: a resumed
   * session may go on under another program and model.
   */
  write(builder: TranscriptBuilder, prompt: string | undefined): void {
    const [first, ...others] = [...this.#sessions];
    for (const [, line] of others) builder.problem("several-sessions", line);
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

/** The first line that is not blank, cut to a title's length between characters; `undefined` where there is none. */
export function titleOf(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, TITLE_SEARCH_CHARS)
    .split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "");
  if (line === undefined) return undefined;
  const cut = line.slice(0, TITLE_CHARS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
