import { inheritedRows } from "@/lib/core/columns/request-keys";
import type { SessionRow } from "@/lib/queries/contract/schemas";
import type { IndexDatabase, Write } from "../../store/database/database";
import { Families } from "../relations/families";
import type { KeptKeys, RelatedInput } from "../relations/related-input";
import { type Related, startersOf, subagentsBelow } from "../relations/relations";
import { jsonWrite, ownWrite, rowsOf } from "./index-rows";
import { type OwnMetrics, ownMetrics, subagentsOf } from "./own-metrics";
import { type Kin, relatedRows } from "./session-list";

/** A session as input of relations, and its title. */
export interface NamedInput extends RelatedInput {
  readonly title: string;
}

/** Minimum interval between searches for relations while sessions are being read, also as a multiple of a search's time. */
const PAUSE_MS = 1500;
const REST = 20;
/** Rows per read if all are needed, and rows per write transaction. */
const PAGE = 500;
const BATCH = 40;
/** The note of the sources among which relations were found. */
const SOURCES = "related sources";

/** Finds relations of sessions, and writes them into their rows. */
export class Kinship {
  readonly #database: IndexDatabase;
  readonly #onWritten: () => void;
  readonly #sources: readonly string[];
  readonly #families = new Families<NamedInput>();
  /** Samples are listed only without other sessions, so no other session is related to them. */
  readonly #samples = new Families<NamedInput>();
  #isUrgent = false;
  #isClosed = false;
  #loading: Promise<void> | undefined;
  #relating: Promise<void> | undefined;
  #relatedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = PAUSE_MS;
  /** Relations in rows as JSON, as far as known without reading them. */
  readonly #inRows = new Map<string, string>();

  /**
   * @param sources the listed sources
   * @param onWritten called after rows have changed
   */
  constructor(database: IndexDatabase, sources: readonly string[], onWritten: () => void) {
    this.#database = database;
    this.#sources = sources;
    this.#onWritten = onWritten;
  }

  /** Resumes the unfinished work of an earlier start. */
  async resume(): Promise<void> {
    const { query } = this.#database;
    await this.#noteSources();
    const left = await query.selectFrom("session_links").select("id").where("is_new", "=", 1).limit(1).execute();
    if (left.length > 0) await this.#loaded();
  }

  /**
   * Relations depend on the listed sources. If these have changed since the last start, sessions of added sources are related again; if a source was
   * removed, all sessions with relations are too.
   */
  async #noteSources(): Promise<void> {
    const { query } = this.#database;
    const noted = await query.selectFrom("meta").select("value").where("key", "=", SOURCES).executeTakeFirst();
    const before: readonly string[] = noted === undefined ? [] : JSON.parse(noted.value); // As written below.
    const added = this.#sources.filter((source) => !before.includes(source));
    const isLess = before.some((source) => !this.#sources.includes(source));
    if (added.length === 0 && !isLess) return;
    const inSources = (sources: readonly string[]) =>
      query.selectFrom("sessions").select("id").where("gone", "=", 0).where("source", "in", sources);
    const related = inSources(this.#sources).where((row) =>
      row.or([row("row", "not like", '%"related":[]%'), row("row", "not like", '%"repeatedRequests":0,%')]),
    );
    const marked = [...(added.length === 0 ? [] : [inSources(added)]), ...(isLess ? [related] : [])];
    const value = JSON.stringify(this.#sources);
    await this.#database.write([
      ...marked.map((ids) => query.updateTable("session_links").set({ is_new: 1 }).where("id", "in", ids)),
      query
        .insertInto("meta")
        .values({ key: SOURCES, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
    ]);
  }

  /** The write that schedules relatives of removed sessions, even if the program ends before that. */
  async parted(ids: readonly string[]): Promise<Write[]> {
    const rows = await rowsOf(this.#database, ids);
    const relatives = [...rows.values()].flatMap(({ related }) => related.map(({ id }) => id));
    if (relatives.length === 0) return [];
    // Once the families are loaded, removing the session marks its family as changed.
    await this.#loaded();
    return [this.#database.query.updateTable("session_links").set({ is_new: 1 }).where("id", "in", relatives)];
  }

  /** True if relations are still to be found. */
  get isBehind(): boolean {
    return this.#isChanged || this.#relating !== undefined;
  }

  /** All read sessions, without samples. */
  async inputs(): Promise<readonly NamedInput[]> {
    await this.#loaded();
    return this.#families.inputs();
  }

  /**
   * Adds a read session; its relations are found soon. Returns the write that keeps it for the next start.
   * @param row its row as written with it
   * @param metrics metrics of its requests, in the order of their keys
   */
  async add(input: NamedInput, row: SessionRow, metrics: Float64Array): Promise<Write> {
    await this.#loaded();
    const slim = slimmed(input);
    const isSample = row.sample;
    // Recomputes the requests that other sessions count.
    if (row.related.length === 0 && row.repeatedRequests === 0) this.#inRows.set(input.id, NONE);
    else this.#inRows.delete(input.id);
    (isSample ? this.#samples : this.#families).add(slim, true);
    const { id, keys, ...named } = slim;
    const { classes, models = [], places = [] } = keys;
    const facts: KeptFacts = { ...named, classes, models, places };
    const numbers = { exact: bytesOf(keys.exact), sizes: bytesOf(keys.sizes), figures: bytesOf(metrics) };
    const kept = { facts: JSON.stringify(facts), ...numbers, is_new: 1 };
    const { query, repeated } = this.#database;
    return repeated.of("links", { id, ...kept }, ({ id, ...kept }) =>
      query
        .insertInto("session_links")
        .values({ id, ...kept })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(kept)),
    );
  }

  remove(id: string): void {
    this.#inRows.delete(id);
    this.#families.remove(id);
    this.#samples.remove(id);
  }

  /** Finds relations if due. @param now true if no more sessions are being read */
  relate(now: boolean): void {
    this.#isUrgent = now;
    if (this.#relating !== undefined || !this.#isChanged || this.#isClosed) return;
    if (!now && performance.now() - this.#relatedAt < this.#pauseMs) return;
    this.#relating = this.#relate()
      // A failed write is retried with the next read session, and after the next walk.
      .then(
        () => this.#isUrgent,
        () => false,
      )
      .then((goesOn) => {
        this.#relating = undefined;
        this.#relatedAt = performance.now();
        if (goesOn) this.relate(true);
      });
  }

  /** Ends; the current write finishes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#relating;
  }

  get #isChanged(): boolean {
    return this.#families.isChanged || this.#samples.isChanged;
  }

  async #relate(): Promise<void> {
    this.#pauseMs = PAUSE_MS;
    for (const families of [this.#families, this.#samples]) {
      const due = this.#due(families);
      for (let at = 0; at < due.length && !this.#isClosed; at += BATCH) {
        const write = this.#database.inTurn(() => this.#write(due.slice(at, at + BATCH), families));
        await write.catch((error: unknown) => {
          families.again(due.slice(at).map(({ id }) => id));
          throw error;
        });
      }
    }
  }

  /** Relations of changed sessions, and of their relatives; in a family of thousands most stay the same. */
  #due(families: Families<NamedInput>): readonly Due[] {
    const began = performance.now();
    const changed = new Set(families.changed());
    const titleOf = (other: string) => families.titleOf(other);
    const all = families.relateChanged();
    // The rows of parent sessions hold the spending of subagents.
    const starting = new Set([...changed].flatMap((id) => startersOf(all, id)));
    const due = [...all].flatMap(([id, related]) => {
      const text = relationsText(relatedRows(related, titleOf), related);
      const isInRow = this.#inRows.get(id) === text;
      return isInRow && !changed.has(id) && !starting.has(id) ? [] : [{ id, related, all, text, isInRow }];
    });
    this.#pauseMs = Math.max(this.#pauseMs, REST * (performance.now() - began));
    return due;
  }

  async #write(due: readonly Due[], families: Families<NamedInput>): Promise<void> {
    const { query } = this.#database;
    const titleOf = (other: string) => families.titleOf(other);
    const summed = due.filter(({ related, id }) => isSummed(related) || hasInherited(families.inputOf(id)));
    const ids = new Set([...due.filter(({ isInRow }) => !isInRow), ...summed].map(({ id }) => id));
    const rows = await rowsOf(this.#database, [...ids]);
    const resummed = due.filter((one) => summed.includes(one) || wasSummed(rows.get(one.id)));
    const ownOf = await this.#ownMetrics(resummed, families);
    const writes: Write[] = [];
    for (const { id, related } of due) {
      const before = rows.get(id);
      if (before === undefined) continue;
      const kin = relatedRows(related, titleOf);
      const own = ownOf(id);
      const row = { ...before, ...kin, bill: own?.bill ?? before.bill ?? null };
      if (JSON.stringify(kinOf(before)) === JSON.stringify(kinOf(row))) continue;
      writes.push(jsonWrite(this.#database, row));
      if (own !== undefined) writes.push(ownWrite(this.#database, row, own));
    }
    const changed = writes.length > 0;
    const done = due.map(({ id }) => id).filter((id) => !families.hasChanged(id));
    if (done.length > 0) writes.push(query.updateTable("session_links").set({ is_new: 0 }).where("id", "in", done));
    await this.#database.write(writes);
    for (const { id, text } of due) {
      // A concurrent write of a row may lack these relations.
      if (families.hasChanged(id)) this.#inRows.delete(id);
      else if (rows.has(id)) this.#inRows.set(id, text);
    }
    if (changed) this.#onWritten();
  }

  /** Counted requests of sessions and of their subagents, from their stored requests. */
  async #ownMetrics(
    due: readonly Due[],
    families: Families<NamedInput>,
  ): Promise<(id: string) => OwnMetrics | undefined> {
    const startedBy = new Map(due.map(({ id, all }) => [id, subagentsBelow(all, id)]));
    const ids = new Set([...startedBy].flatMap(([id, subagents]) => [id, ...subagents]));
    const kept = new Map<string, Float64Array>();
    for (let at = 0, all = [...ids]; at < all.length; at += PAGE) {
      const some = this.#database.query
        .selectFrom("session_links")
        .select(["id", "figures"])
        .where("id", "in", all.slice(at, at + PAGE));
      for (const { id, figures: metrics } of await some.execute()) kept.set(id, Float64Array.from(numbersOf(metrics)));
    }
    const related = due[0]?.all;
    const alone = new Map<string, OwnMetrics>();
    for (const [id, metrics] of kept) {
      const input = families.inputOf(id);
      const elsewhere = related?.get(id)?.elsewhere ?? [];
      if (input === undefined) continue;
      const { keys, summary } = input;
      const startedAt = Date.parse(summary.startedAt ?? summary.endedAt ?? "");
      const from = [...new Set(elsewhere.map(({ by }) => families.inputOf(by)?.summary.sessionId ?? by))];
      const rows = elsewhere.map(({ row }) => row);
      const { classes, models, places } = keys;
      const parents = parentsOf(input);
      alone.set(id, ownMetrics({ classes, models, places, metrics, startedAt, parents }, rows, from));
    }
    return (id) => {
      const own = alone.get(id);
      const subagents = (startedBy.get(id) ?? []).flatMap((other) => alone.get(other) ?? []);
      return own && { ...own, bill: { ...own.bill, subagents: subagentsOf(own, subagents) } };
    };
  }

  /** Sessions of earlier starts, read on first use: a start without changes never needs them. */
  #loaded(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      // The database may recover.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    for (let after = "", more = true; more; ) {
      const rows = await this.#database.query
        .selectFrom("session_links")
        .innerJoin("sessions", "sessions.id", "session_links.id")
        .select(["session_links.id", "session_links.facts", "exact", "sizes", "is_new", "sample"])
        .where("session_links.id", ">", after)
        .where("gone", "=", 0)
        .where("source", "in", this.#sources)
        .orderBy("session_links.id")
        .limit(PAGE)
        .execute();
      for (const { id, facts, exact, sizes, is_new, sample } of rows) {
        const { classes, models, places, ...known } = JSON.parse(facts) as KeptFacts; // As `add` wrote it.
        const families = sample === 1 ? this.#samples : this.#families;
        families.add(
          { id, ...known, keys: { exact: numbersOf(exact), sizes: numbersOf(sizes), classes, models, places } },
          is_new === 1,
        );
      }
      after = rows.at(-1)?.id ?? "";
      more = rows.length === PAGE;
    }
  }
}

/** Stored facts of a session besides the numbers of its requests. */
type KeptFacts = Omit<NamedInput, "id" | "keys"> & Pick<KeptKeys, "classes" | "models" | "places">;

/** A session whose row may need other relations. */
interface Due {
  readonly id: string;
  readonly related: Related;
  /** The relations of all sessions of its family, and of others. */
  readonly all: ReadonlyMap<string, Related>;
  /** Relations for its row: see `relationsText`. */
  readonly text: string;
  /** True if the row has them already. */
  readonly isInRow: boolean;
}

/** Most sessions have no relations, so their rows are equal. */
const NONE = JSON.stringify(relatedRows(undefined, String));

/** A row's related sessions, and the requests that they count. */
function relationsText(kin: ReturnType<typeof relatedRows>, { elsewhere }: Related): string {
  if (kin.related.length === 0 && elsewhere.length === 0) return NONE;
  return JSON.stringify([kin, elsewhere.map(({ row, by }) => `${row} ${by}`)]);
}

function kinOf({ related, repeatedRequests, bill }: SessionRow): Kin {
  return { related, repeatedRequests, bill: bill ?? null };
}

/** True if a session's counts depend on other sessions. */
function isSummed({ relations, elsewhere }: Related): boolean {
  return elsewhere.length > 0 || relations.some(({ kind }) => kind === "has-subagent");
}

/** True if a row's sums depended on other sessions: these may no longer be listed. */
function wasSummed(row: SessionRow | undefined): boolean {
  return row !== undefined && (row.repeatedRequests > 0 || row.related.some(({ kind }) => kind === "has-subagent"));
}

function parentsOf({ summary }: NamedInput): readonly string[] {
  return summary.links.parents.map(({ session }) => session);
}

function hasInherited(input: NamedInput | undefined): boolean {
  return input !== undefined && inheritedRows(input.keys.classes).length > 0;
}

/** Only the inputs of relations: all sessions are held in memory. */
function slimmed({ id, summary, placed, keys, title }: NamedInput): NamedInput {
  const { format, sessionId, requests, startedAt, endedAt, links } = summary;
  const { parentSession, sessionId: placedId, agentId } = placed;
  return {
    id,
    summary: { format, sessionId, requests, startedAt, endedAt, links },
    placed: {
      ...(parentSession !== undefined && { parentSession }),
      ...(placedId !== undefined && { sessionId: placedId }),
      ...(agentId !== undefined && { agentId }),
    },
    // Lists instead of typed arrays, which take some 300 bytes each plus their numbers; most sessions have a dozen numbers. `Array.from`, because
    // spreading would create an object per number.
    keys: { ...keys, exact: Array.from(keys.exact), sizes: Array.from(keys.sizes) },
    title,
  };
}

function bytesOf(numbers: KeptKeys["exact"]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Numbers from a database's bytes, at any offset, or as a bare buffer. */
function numbersOf(bytes: Uint8Array | ArrayBuffer): number[] {
  return Array.from(new Float64Array(new Uint8Array(bytes).slice().buffer));
}
