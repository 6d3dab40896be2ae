import type { SessionRow } from "@/lib/queries/contract/schemas";
import type { IndexDatabase, Write } from "../../store/database/database";
import { jsonWrite, recordedText, rowsOf, searchWrites } from "./index-rows";
import { Projects } from "./projects";

/** Rows per write transaction. */
const BATCH = 40;

/** Sets the project of sessions whose folder alone is known, once another session names it. */
export class ProjectNaming {
  readonly #database: IndexDatabase;
  readonly #projects = new Projects();
  /** Folders with a known project that is not yet in all waiting rows. */
  readonly #due = new Set<string>();

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** The project of an agent's folder, as far as sessions name it. */
  of(agent: string | null, folder: string): string | undefined {
    return this.#projects.of(agent, folder);
  }

  /** Reads the state of earlier starts. */
  async load(): Promise<void> {
    const named = await this.#database.query
      .selectFrom("sessions")
      .select(["agent", "project"])
      .where("folder", "is", null)
      .where("state", "=", "read")
      .distinct()
      .execute();
    for (const { agent, project } of named) if (project !== null) this.#projects.add(agent, project);
    // The program may have ended between two writes.
    const unnamed = await this.#database.query
      .selectFrom("sessions")
      .select("folder")
      .where("folder", "is not", null)
      .where("project", "is", null)
      .distinct()
      .execute();
    for (const { folder } of unnamed)
      if (folder !== null && this.#projectOf(folder) !== undefined) this.#due.add(folder);
  }

  /** Records the projects that sessions name, and writes them into waiting rows. */
  async addRows(rows: readonly SessionRow[]): Promise<void> {
    for (const { agent, summary } of rows) {
      if (summary?.project != null)
        for (const folder of this.#projects.add(agent, summary.project)) this.#due.add(folder);
    }
    if (this.#due.size === 0) return;
    const due = [...this.#due];
    const { query } = this.#database;
    const waiting = await query.selectFrom("sessions").select(["id", "folder"]).where("folder", "in", due).execute();
    for (let at = 0; at < waiting.length; at += BATCH) await this.#name(waiting.slice(at, at + BATCH));
    this.#due.clear();
  }

  /** @param folder as `folderKey` writes it */
  #projectOf(folder: string): string | undefined {
    const [agent = "", name = ""] = folder.split("\n");
    return this.#projects.of(agent, name);
  }

  async #name(waiting: readonly { id: string; folder: string | null }[]): Promise<void> {
    const { query } = this.#database;
    const ids = waiting.map(({ id }) => id);
    const rows = await rowsOf(this.#database, ids);
    const texts = await query
      .selectFrom("search")
      .innerJoin("sessions", "sessions.number", "search.rowid")
      .select(["sessions.id", "search.text"])
      .where("sessions.id", "in", ids)
      .execute();
    const textOf = new Map(texts.map(({ id, text }) => [id, recordedText(text)]));
    const writes: Write[] = [];
    for (const { id, folder } of waiting) {
      const row = rows.get(id);
      const project = this.#projectOf(folder ?? "");
      if (row === undefined || project === undefined || row.project === project) continue;
      const named = { ...row, project };
      writes.push(jsonWrite(this.#database, named), ...searchWrites(this.#database, named, textOf.get(id) ?? ""));
    }
    await this.#database.write(writes);
  }
}
