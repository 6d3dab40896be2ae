import type { SessionRow } from "@/lib/api/contract";
import type { IndexDatabase, Write } from "../../database/database";
import { jsonWrite, recordedText, rowsOf, searchWrites } from "./index-rows";
import { Projects } from "./projects";

/** How many rows are written in one transaction. */
const BATCH = 40;

/** Gives sessions their project where only its folder is known, once another session names it. */
export class ProjectNaming {
  readonly #database: IndexDatabase;
  readonly #projects = new Projects();

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** The project that an agent's folder stands for, as far as sessions tell. */
  of(agent: string | null, folder: string): string | undefined {
    return this.#projects.of(agent, folder);
  }

  /** Reads what earlier starts have learnt. */
  async load(): Promise<void> {
    const named = await this.#database.query
      .selectFrom("sessions")
      .select(["agent", "project"])
      .where("folder", "is", null)
      .where("requests", "is not", null)
      .distinct()
      .execute();
    for (const { agent, project } of named) if (project !== null) this.#projects.add(agent, project);
  }

  /** Takes note of the projects that sessions name, and writes them into the rows that wait for them. */
  async learn(rows: readonly SessionRow[]): Promise<void> {
    const named = rows.flatMap(({ agent, summary }) =>
      summary?.project == null ? [] : this.#projects.add(agent, summary.project),
    );
    if (named.length === 0) return;
    const { query } = this.#database;
    const waiting = await query.selectFrom("sessions").select(["id", "folder"]).where("folder", "in", named).execute();
    for (let at = 0; at < waiting.length; at += BATCH) await this.#name(waiting.slice(at, at + BATCH));
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
      const [agent = "", name = ""] = (folder ?? "").split("\n");
      const project = this.#projects.of(agent, name);
      if (row === undefined || project === undefined || row.project === project) continue;
      const named = { ...row, project };
      writes.push(query.updateTable("sessions").set({ project }).where("id", "=", id));
      writes.push(jsonWrite(this.#database, named), ...searchWrites(this.#database, named, textOf.get(id) ?? ""));
    }
    await this.#database.write(writes);
  }
}
