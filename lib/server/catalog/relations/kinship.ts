import type { SessionRow } from "@/lib/api/contract";
import type { IndexDatabase, Write } from "../../database/database";
import { familyColumns, jsonWrite, rowsOf } from "../index/index-rows";
import { relatedRows } from "../index/session-list";
import { Families } from "./families";
import type { KeptKeys, RelatedInput } from "./relations";

/** A session for finding its relations, and its title. */
export interface NamedInput extends RelatedInput {
  readonly title: string;
}

/** While sessions are being read, relations are found at most this often, and less often where finding them takes long. */
const PAUSE_MS = 1500;
const REST = 20;
/** How many rows are read at once when all are needed, and how many are written in one transaction. */
const PAGE = 500;
const BATCH = 40;

/** Finds the relations of sessions that were read, and writes them into their rows. */
export class Kinship {
  readonly #database: IndexDatabase;
  readonly #onWritten: () => void;
  readonly #sources: readonly string[];
  readonly #families = new Families<NamedInput>();
  /** Samples are listed only where there is nothing else, so no other session is related to them. */
  readonly #samples = new Families<NamedInput>();
  #isUrgent = false;
  #isClosed = false;
  #loading: Promise<void> | undefined;
  #relating: Promise<void> | undefined;
  #relatedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = PAUSE_MS;
  /** What rows say of relations, as JSON, as far as it is known without reading them. */
  readonly #told = new Map<string, string>();

  /**
   * @param sources the sources that are listed
   * @param onWritten called when rows have changed
   */
  constructor(database: IndexDatabase, sources: readonly string[], onWritten: () => void) {
    this.#database = database;
    this.#sources = sources;
    this.#onWritten = onWritten;
  }

  /** Takes up what an earlier start had not come to. */
  async resume(): Promise<void> {
    const { query } = this.#database;
    const left = await query.selectFrom("session_links").select("id").where("is_new", "=", 1).limit(1).execute();
    if (left.length > 0) await this.#loaded();
  }

  /** The write by which the relatives of sessions that are taken off the list are looked at again, even if the program ends before that. */
  async parted(ids: readonly string[]): Promise<Write[]> {
    const rows = await rowsOf(this.#database, ids);
    const relatives = [...rows.values()].flatMap(({ related }) => related.map(({ id }) => id));
    if (relatives.length === 0) return [];
    // So that the family has changed once the session is removed from it.
    await this.#loaded();
    return [this.#database.query.updateTable("session_links").set({ is_new: 1 }).where("id", "in", relatives)];
  }

  /** Whether relations are still to be found. */
  get isBehind(): boolean {
    return this.#isChanged || this.#relating !== undefined;
  }

  /** All sessions that were read, without samples. */
  async inputs(): Promise<readonly NamedInput[]> {
    await this.#loaded();
    return this.#families.inputs();
  }

  /**
   * Adds a session that was read; its relations are found soon. Returns the write that keeps it for the next start.
   * @param row its row as it is written with that
   */
  async add(input: NamedInput, row: SessionRow): Promise<Write> {
    await this.#loaded();
    const slim = slimmed(input);
    const isSample = row.sample;
    this.#told.set(input.id, toldOf(kinOf(row)));
    (isSample ? this.#samples : this.#families).add(slim, true);
    const { id, keys: _, ...facts } = slim;
    const { keys } = input;
    const kept = { facts: JSON.stringify(facts), exact: bytesOf(keys.exact), sizes: bytesOf(keys.sizes), is_new: 1 };
    const { query, repeated } = this.#database;
    return repeated.of("links", { id, ...kept }, ({ id, ...kept }) =>
      query
        .insertInto("session_links")
        .values({ id, ...kept })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(kept)),
    );
  }

  remove(id: string): void {
    this.#told.delete(id);
    this.#families.remove(id);
    this.#samples.remove(id);
  }

  /** Finds what is to be found, if it is time. @param now whether no more sessions are being read */
  relate(now: boolean): void {
    this.#isUrgent = now;
    if (this.#relating !== undefined || !this.#isChanged || this.#isClosed) return;
    if (!now && performance.now() - this.#relatedAt < this.#pauseMs) return;
    this.#relating = this.#relate()
      // What could not be written now is tried again with the next session that is read, and after the next walk.
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

  /** Ends; what is being written is still written. */
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

  /** The relations of sessions that have changed, and of those whose relations have; of thousands in one family most say the same as before. */
  #due(families: Families<NamedInput>): readonly Kin[] {
    const began = performance.now();
    const changed = new Set(families.changed());
    const titleOf = (other: string) => families.titleOf(other);
    const due = [...families.relateChanged()].flatMap(([id, relations]) => {
      const kin = relatedRows(relations, titleOf);
      const isTold = this.#told.get(id) === toldOf(kin);
      return isTold && !changed.has(id) ? [] : [{ id, kin, isTold }];
    });
    this.#pauseMs = Math.max(this.#pauseMs, REST * (performance.now() - began));
    return due;
  }

  async #write(due: readonly Kin[], families: Families<NamedInput>): Promise<void> {
    const { query } = this.#database;
    const untold = due.filter(({ isTold }) => !isTold).map(({ id }) => id);
    const rows = await rowsOf(this.#database, untold);
    const writes: Write[] = [];
    for (const { id, kin } of due) {
      const before = rows.get(id);
      if (before === undefined || toldOf(kinOf(before)) === toldOf(kin)) continue;
      const row = { ...before, ...kin };
      writes.push(jsonWrite(this.#database, row));
      writes.push(query.updateTable("sessions").set(familyColumns(row)).where("id", "=", id));
    }
    const changed = writes.length > 0;
    const done = due.map(({ id }) => id).filter((id) => !families.hasChanged(id));
    if (done.length > 0) writes.push(query.updateTable("session_links").set({ is_new: 0 }).where("id", "in", done));
    await this.#database.write(writes);
    for (const { id, kin } of due) {
      // A row that is being written anew may be written without these relations.
      if (families.hasChanged(id)) this.#told.delete(id);
      else if (rows.has(id)) this.#told.set(id, toldOf(kin));
    }
    if (changed) this.#onWritten();
  }

  /** What earlier starts have learnt, read when it is first needed: a start at which nothing has changed never needs it. */
  #loaded(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      // A database that does not answer may do so later.
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
        .select(["session_links.id", "facts", "exact", "sizes", "is_new", "sample"])
        .where("session_links.id", ">", after)
        .where("gone", "=", 0)
        .where("source", "in", this.#sources)
        .orderBy("session_links.id")
        .limit(PAGE)
        .execute();
      for (const { id, facts, exact, sizes, is_new, sample } of rows) {
        const known = JSON.parse(facts) as Omit<NamedInput, "id" | "keys">; // as `add` wrote it
        const families = sample === 1 ? this.#samples : this.#families;
        families.add({ id, ...known, keys: { exact: numbersOf(exact), sizes: numbersOf(sizes) } }, is_new === 1);
      }
      after = rows.at(-1)?.id ?? "";
      more = rows.length === PAGE;
    }
  }
}

/** What a session's row is to say of its relations. */
interface Kin {
  readonly id: string;
  readonly kin: ReturnType<typeof relatedRows>;
  /** Whether it says so already. */
  readonly isTold: boolean;
}

/** As most sessions have no relations, their rows say the same. */
const NONE = JSON.stringify(relatedRows(undefined, String));

function toldOf(kin: Kin["kin"]): string {
  return kin.related.length === 0 && kin.repeatedRequests === 0 ? NONE : JSON.stringify(kin);
}

function kinOf({ related, repeatedRequests }: SessionRow): Kin["kin"] {
  return { related, repeatedRequests };
}

/** Only what relations are found by: this much of every session is held in memory. */
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
    // As lists: a typed array takes some 300 bytes beside its numbers, of which most sessions have a dozen. Spread, they would be an object each.
    keys: { exact: Array.from(keys.exact), sizes: Array.from(keys.sizes) },
    title,
  };
}

function bytesOf(numbers: KeptKeys["exact"]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Numbers from bytes as a database gives them: at any offset, or as a bare buffer. */
function numbersOf(bytes: Uint8Array | ArrayBuffer): number[] {
  return Array.from(new Float64Array(new Uint8Array(bytes).slice().buffer));
}
