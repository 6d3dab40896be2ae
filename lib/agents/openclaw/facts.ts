import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { titleOf } from "../title";
import type { NodeContent } from "./nodes";
import { type Envelope, idOf } from "./schema";

/** What a file says about its session as a whole. */
export class FactFinder {
  #header: Envelope | undefined;
  #name: string | undefined;

  /** Takes a header. The first one is the session's; gives whether there was one before. */
  header(envelope: Envelope): boolean {
    const another = this.#header !== undefined;
    this.#header ??= envelope;
    return another;
  }

  /** Takes a name that was given; an empty one takes it away. */
  name(envelope: Envelope): void {
    this.#name = titleOf(envelope.name ?? "");
  }

  /** The version of the format; `undefined` without a header. */
  version(): number | undefined {
    return this.#header === undefined ? undefined : (this.#header.version ?? 1);
  }

  /** Writes what was found. A session without a name goes by what was first typed. */
  write(builder: TranscriptBuilder, chain: Iterable<NodeContent>): void {
    const parent = idOf(this.#header?.parentSession) ?? idOf(this.#header?.branchedFrom);
    if (parent !== undefined) builder.parent(sessionOfPath(parent), "fork");
    builder.facts({
      sessionId: idOf(this.#header?.id),
      project: this.#header?.cwd ?? undefined,
      title: this.#name ?? typedTitle(chain),
    });
  }
}

function typedTitle(chain: Iterable<NodeContent>): string | undefined {
  for (const content of chain) {
    if (content.kind === "message" && content.title !== undefined) return content.title;
  }
  return undefined;
}

/** The session of a file: `<time>_<id>.jsonl`, or the whole name where it is another. Paths may come from any system. */
function sessionOfPath(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? path).split(".jsonl", 1)[0] ?? "";
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(name)?.[1] ?? name;
}
