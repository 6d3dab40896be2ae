import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { promptTitle, titleOf } from "@/lib/agents/shared/title";
import { isoTime } from "@/lib/core/base/iso-time";
import type { Milliseconds } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { possibleTime } from "@/lib/core/transcript/record-numbers";
import type { Envelope } from "./schema";

/** Fields of a header, and of an entry that names the session. */
type SessionHeader = Pick<Envelope, "id" | "timestamp" | "version" | "cwd" | "parentSession" | "branchedFrom" | "name">;

/** Content of an entry. For a typed message, `title` names a session that has no name. */
interface EntryContent {
  readonly kind: string;
  readonly title?: string | undefined;
}

/** Collects a file's facts about its session. */
export class FactFinder {
  #header: SessionHeader | undefined;
  #name: string | undefined;

  /** Adds a header; returns true if it is not the first. The first header is the session's. */
  header(envelope: SessionHeader): boolean {
    const another = this.#header !== undefined;
    this.#header ??= envelope;
    return another;
  }

  /** Sets the session's name; an empty one removes the name. */
  name(envelope: SessionHeader): void {
    this.#name = titleOf(envelope.name ?? "");
  }

  /** The version of the format; `undefined` without a header. */
  version(): number | undefined {
    return this.#header === undefined ? undefined : (this.#header.version ?? 1);
  }

  /** Time before which a fork's entries are copies of its parent's; `undefined` in a session that is not a fork. Source: ../pi/README.md, "Traps". */
  get copiedBefore(): Milliseconds | undefined {
    return this.#parentPath === undefined ? undefined : possibleTime(isoTime(this.#header?.timestamp));
  }

  get #parentPath(): string | undefined {
    return nameOf(this.#header?.parentSession) ?? nameOf(this.#header?.branchedFrom);
  }

  /** Writes the facts. A session without a name is named after the first typed message. */
  write(builder: TranscriptBuilder, chain: Iterable<EntryContent>): void {
    const version = this.version();
    const path = this.#parentPath;
    const parent = path === undefined ? undefined : idOf(sessionOfPath(path));
    if (parent !== undefined) builder.parent(parent, "fork");
    builder.facts({
      formatVersion: Number.isSafeInteger(version) ? version : undefined,
      sessionId: idOf(this.#header?.id),
      project: nameOf(this.#header?.cwd),
      title: this.#name ?? typedTitle(chain),
    });
  }
}

function typedTitle(chain: Iterable<EntryContent>): string | undefined {
  let title: string | undefined;
  for (const content of chain) if (content.kind === "message") title = promptTitle(title, content.title);
  return title;
}

/** The session of a file named `<time>_<id>.jsonl`, or the whole name in any other format. Paths may come from any system. */
function sessionOfPath(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? path).split(".jsonl", 1)[0] ?? "";
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(name)?.[1] ?? name;
}
