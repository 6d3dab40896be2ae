import { textHash } from "@/lib/core/base/texts";
import type { FileVersion } from "../../read/source-file";
import { type ColumnPage, type IndexDatabase, numberIn, type Value, type Write } from "../../store/database/database";
import type { CatalogEntry } from "../files/entries";

/** Stored facts of a file, to detect changes. */
interface Kept extends Pick<FileVersion, "bytes" | "mtimeMs"> {
  readonly inode: string;
  /** Digest of the facts from its path: a number takes a tenth of the text's memory. */
  readonly listedAs: number;
  /** True if this version was read, by this code. */
  readonly isRead: boolean;
  readonly isGone: boolean;
}

export interface FileState {
  readonly entry: CatalogEntry;
  /** The version that was read, if it is not the found one. */
  readonly version?: FileVersion | undefined;
  readonly isRead: boolean;
}

/** Rows per read, and their columns. */
const PAGE = 2000;
const READ = ["id", "bytes", "mtime", "inode", "listed_as", "made_by", "gone_at"] as const;

/** The listed files, and those of them that are read. */
export class KnownFiles {
  readonly #database: IndexDatabase;
  readonly #madeBy: string;
  readonly #files = new Map<string, Kept>();

  /** @param madeBy identifies the code that reads recordings: results of other code count as unread */
  constructor(database: IndexDatabase, madeBy: string) {
    this.#database = database;
    this.#madeBy = madeBy;
  }

  get size(): number {
    return this.#files.size;
  }

  has(id: string): boolean {
    return this.#files.has(id);
  }

  /** True if this version of a file was read. A reappeared one is read again: its relations were removed. */
  isRead(entry: CatalogEntry): boolean {
    const kept = this.#files.get(entry.id);
    return kept?.isRead === true && !kept.isGone && this.#isSame(entry);
  }

  /** True if a file, and the facts from its path, are unchanged since it was listed. */
  isListed(entry: CatalogEntry): boolean {
    const kept = this.#files.get(entry.id);
    return kept !== undefined && !kept.isGone && kept.listedAs === textHash(listedAs(entry)) && this.#isSame(entry);
  }

  write({ entry, version = entry.version, isRead }: FileState): Write {
    const file = {
      id: entry.id,
      source: entry.source,
      path: entry.path,
      bytes: version.bytes,
      mtime: version.mtimeMs,
      inode: entry.inode ?? "",
      listed_as: listedAs(entry),
      made_by: isRead ? this.#madeBy : null,
      gone_at: null,
    };
    const { query, repeated } = this.#database;
    return repeated.of("file", file, (file) =>
      query
        .insertInto("files")
        .values(file)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(file)),
    );
  }

  /** Records finished writes. */
  written({ entry, version = entry.version, isRead }: FileState): void {
    const { bytes, mtimeMs } = version;
    const listed = { inode: entry.inode ?? "", listedAs: textHash(listedAs(entry)) };
    this.#files.set(entry.id, { bytes, mtimeMs, ...listed, isRead, isGone: false });
  }

  markGone(id: string): void {
    const kept = this.#files.get(id);
    if (kept !== undefined) this.#files.set(id, { ...kept, isGone: true });
  }

  forget(id: string): void {
    this.#files.delete(id);
  }

  /** Counts every file as unread, and returns the write of that. */
  forgetReadings(): Write {
    for (const [id, kept] of this.#files) this.#files.set(id, { ...kept, isRead: false });
    return this.#database.query.updateTable("files").set({ made_by: null });
  }

  /** Reads the state of earlier starts. */
  async load(): Promise<void> {
    const all = this.#database.query.selectFrom("files").select(READ).orderBy("id").limit(PAGE);
    const after = (id: Value) => all.where("id", ">", String(id));
    for await (const page of this.#database.columnPages(after, READ, { key: "id", first: "", size: PAGE })) {
      this.#take(page);
    }
  }

  /** Reads rows by columns, in the order of `READ`. */
  #take([ids = [], bytes = [], times = [], inodes = [], listed = [], makers = [], goneAt = []]: ColumnPage): void {
    for (const [at, id] of ids.entries()) {
      const listedAs = textHash(String(listed[at]));
      const known = { inode: String(inodes[at]), listedAs, isRead: makers[at] === this.#madeBy };
      const version = { bytes: numberIn(bytes[at]), mtimeMs: numberIn(times[at]) };
      this.#files.set(String(id), { ...version, ...known, isGone: goneAt[at] !== null });
    }
  }

  #isSame({ id, version, inode = "" }: CatalogEntry): boolean {
    const kept = this.#files.get(id);
    return kept?.bytes === version.bytes && kept.mtimeMs === version.mtimeMs && kept.inode === inode;
  }
}

/** Parts of a session's row that may change without its file. */
function listedAs({ name, title, placed }: CatalogEntry): string {
  return JSON.stringify([name, title ?? null, placed]);
}
