import type { Bytes } from "@/lib/core/base/units";
import type { CatalogEntry } from "../files/entries";
import type { SessionIndex } from "../index/session-index";

/** The listed files, and those of them that are read. */
interface Counted {
  readonly files: number;
  readonly bytes: Bytes;
  readonly readFiles: number;
  readonly readBytes: Bytes;
}

/** Counts what is read. While thousands of files are, only those are looked at of which it may be otherwise than before. */
export class ReadCount {
  #revision: number | undefined;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  readonly #read = new Set<string>();
  #bytes = 0;
  #readBytes = 0;

  /** @param revision changes with the listed files */
  of(
    revision: number,
    known: () => readonly CatalogEntry[],
    index: Pick<SessionIndex, "isRead" | "takeTouched">,
  ): Counted {
    const touched = index.takeTouched();
    const isSame = revision === this.#revision && touched !== undefined;
    if (!isSame) this.#begin(known());
    this.#revision = revision;
    for (const id of isSame ? touched : this.#entries.keys()) this.#look(id, index);
    const { size } = this.#entries;
    return { files: size, bytes: this.#bytes, readFiles: this.#read.size, readBytes: this.#readBytes };
  }

  #begin(entries: readonly CatalogEntry[]): void {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#read.clear();
    this.#bytes = entries.reduce((sum, { version }) => sum + version.bytes, 0);
    this.#readBytes = 0;
  }

  #look(id: string, index: Pick<SessionIndex, "isRead">): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || index.isRead(entry) === this.#read.has(id)) return;
    if (this.#read.delete(id)) this.#readBytes -= entry.version.bytes;
    else {
      this.#read.add(id);
      this.#readBytes += entry.version.bytes;
    }
  }
}
