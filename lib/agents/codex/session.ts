import type { z } from "zod";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { SourceRecord } from "@/lib/core/transcript/reader";
import type { sessionMeta, turnContext } from "./schema";

/** Writes the facts about the session: who, where, which model, which window, and the base instructions. */
export class SessionFactsReader {
  readonly #builder: TranscriptBuilder;
  #id: string | undefined;
  #seen = false;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** The first one is the thread's own. A fork repeats its parent's, and a resumed session its own. */
  meta(meta: z.infer<typeof sessionMeta> | undefined, record: SourceRecord): void {
    if (meta === undefined) return;
    const id = meta.id ?? meta.session_id;
    if (this.#seen) {
      if (id === this.#id) this.#builder.problem("duplicate-record", record.line, "session_meta");
      else this.#builder.problem("several-sessions", record.line, id);
      return;
    }
    this.#seen = true;
    this.#id = id;
    this.#builder.facts({
      sessionId: id,
      agentVersion: meta.cli_version ?? undefined,
      project: meta.cwd ?? undefined,
      branch: meta.git?.branch ?? undefined,
    });
    const base = typeof meta.base_instructions === "string" ? meta.base_instructions : meta.base_instructions?.text;
    if (base !== undefined) this.#overhead(base, record);
  }

  turn(context: z.infer<typeof turnContext> | undefined): void {
    if (typeof context?.model === "string") this.#builder.model(context.model);
  }

  /** The window as recorded: the effective one. The last of the file counts. */
  window(tokens: unknown): void {
    if (typeof tokens === "number" && tokens > 0) this.#builder.facts({ recordedWindow: tokens });
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
