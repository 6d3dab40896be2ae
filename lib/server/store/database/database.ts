import { toUSVString } from "node:util";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectQueryBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { RepeatedWrites } from "./repeated-writes";
import type { Schema } from "./schema";
import { shortWord } from "./short-words";
import { DamagedError, type Executor, type SqlDialect, type Statement } from "./statement";
import { TABLES_VERSION, tablesOf } from "./tables";

/** A write, or a query whose rows are unused. */
export interface Write {
  compile(): Statement;
}

/** A value of a row as `IndexDatabase.columns` gives it. */
export type Value = string | number | null;

/** Rows by columns: for each of the columns the values of all rows, in the same order. */
export type ColumnPage = readonly (readonly Value[])[];

/** The number in a row's value; `NaN` for null. */
export function numberIn(value: Value | undefined): number {
  return value == null ? Number.NaN : Number(value);
}

/** The tables are from a later release, which this one cannot read. */
export class LaterSchemaError extends Error {
  override readonly name = "LaterSchemaError";
}

/** The index's tables in either database: the same queries work on SQLite and on PostgreSQL. */
export class IndexDatabase {
  readonly dialect: SqlDialect;
  /** Makes queries. Only `write` makes transactions. */
  readonly query: Kysely<Schema>;
  /** Makes the writes that every session needs. */
  readonly repeated = new RepeatedWrites();
  readonly #executor: Executor;
  readonly #reader: Executor;
  #isDamaged = false;
  #onDamage: () => void = () => undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param reader answers queries, so that none of them waits for writes; default: the writer */
  constructor(dialect: SqlDialect, executor: Executor, reader = executor) {
    this.dialect = dialect;
    this.#executor = this.#watched(executor);
    this.#reader = reader === executor ? this.#executor : this.#watched(reader);
    this.query = new Kysely<Schema>({ dialect: DIALECTS[dialect](this.#executor, this.#reader) });
  }

  /** A statement failed because the index is damaged. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Calls back once if the index is found damaged, or now if it already is. There is one listener. */
  whenDamaged(act: () => void): void {
    if (this.#isDamaged) act();
    else this.#onDamage = act;
  }

  #watched(executor: Executor): Executor {
    return {
      run: (statements) =>
        executor.run(statements).catch((error: unknown) => {
          if (error instanceof DamagedError) this.#damaged();
          throw error;
        }),
      close: () => executor.close(),
    };
  }

  #damaged(): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#onDamage();
  }

  /** Runs all writes or none. */
  async write(writes: readonly Write[]): Promise<void> {
    if (writes.length > 0) await this.#executor.run(writes.map((write) => statementOf(write.compile())));
  }

  /** Runs read-modify-write work one at a time: concurrent work would undo other writes. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Creates the tables, unless they exist in this release's version. Rejects with `LaterSchemaError` and `DamagedError`. */
  async makeTables(): Promise<void> {
    await this.#raw("create table if not exists meta (key text primary key, value text not null)");
    const version = await this.#version();
    if (version > TABLES_VERSION) throw new LaterSchemaError("The index was made by a later release.");
    if (version === TABLES_VERSION) return;
    // Only one server of a database can write this row, so the tables are created once.
    const claim = `insert into meta (key, value) values ('tables ${TABLES_VERSION}', '')`;
    const note = `insert into meta (key, value) values ('version', '${TABLES_VERSION}') on conflict (key) do update set value = excluded.value`;
    try {
      await this.#raw(claim, ...tablesOf(this.dialect), note);
    } catch (error) {
      if ((await this.#version()) < TABLES_VERSION) throw error;
    }
  }

  async #version(): Promise<number> {
    const row = await this.query.selectFrom("meta").select("value").where("key", "=", "version").executeTakeFirst();
    return Number(row?.value ?? 0);
  }

  /** The numbers of the sessions whose text contains a word, even within other words. @param among searches these alone */
  async found(word: string, among?: readonly number[]): Promise<number[]> {
    const isShort = among === undefined && [...word].length < 3;
    const isIndexed = this.dialect === "sqlite" && among === undefined;
    const holds = isIndexed ? sql<SqlBool>`search match ${quoted(word)}` : this.#contains(sql.ref("text"), word);
    // One text passes between threads faster than a hundred thousand rows.
    const numbers = sql<string>`${sql.raw(this.dialect === "sqlite" ? "json_group_array" : "json_agg")}(rowid)`;
    const row = await this.query
      .selectFrom(isShort ? "short_words" : "search")
      .select(sql<string | null>`cast(${numbers} as text)`.as("numbers"))
      .where(isShort ? this.#hasShort(shortWord(word)) : holds)
      .$if(among !== undefined, (all) => all.where("rowid", "in", among ?? []))
      .executeTakeFirst();
    return JSON.parse(row?.numbers ?? "[]");
  }

  #hasShort(word: string): Expression<SqlBool> {
    // As a separate query the word is unknown to the planner, so the index is used however frequent it is.
    if (this.dialect === "postgres") return sql`string_to_array(words, ' ') @> (select array[cast(${word} as text)])`;
    return sql`short_words match ${quoted(word)}`;
  }

  /**
   * The rows of a query by columns: for each column the values of all rows, in the same order. They arrive as one text, which is made and passed
   * between threads several times as fast as rows. A number may arrive as a text, see `numberIn`.
   */
  async columns<Chosen>(
    rows: SelectQueryBuilder<Schema, keyof Schema, Chosen>,
    names: readonly (keyof Chosen & string)[],
  ): Promise<ColumnPage> {
    const [list, all] =
      this.dialect === "sqlite" ? ["json_array", "json_group_array"] : ["json_build_array", "json_agg"];
    const columns = names.map((name) => sql`${sql.raw(all)}(${this.#exactly(sql.ref(name))})`);
    const row = await this.query
      .selectFrom(rows.as("rows"))
      .select(sql<string>`cast(${sql.raw(list)}(${sql.join(columns)}) as text)`.as("columns"))
      .executeTakeFirst();
    // For no rows, one of the two databases returns null in place of a list.
    const found: readonly (readonly Value[] | null)[] = JSON.parse(row?.columns ?? "[]");
    return names.map((_, at) => found[at] ?? []);
  }

  /**
   * The rows of a query by columns, a page at a time; the database makes the next page meanwhile.
   * @param after makes the query of the first rows with a key above this one, in the order of the key
   * @param key the column that rows are ordered by
   * @param first below every key
   * @param size row limit of the query
   */
  async *columnPages<Chosen, Name extends keyof Chosen & string>(
    after: (key: Value) => SelectQueryBuilder<Schema, keyof Schema, Chosen>,
    names: readonly Name[],
    { key, first, size }: { readonly key: Name; readonly first: Value; readonly size: number },
  ): AsyncGenerator<ColumnPage> {
    const from = (key: Value) => this.columns(after(key), names);
    for (let next: Promise<ColumnPage> | undefined = from(first); next !== undefined; ) {
      const page: ColumnPage = await next;
      const keys = page[names.indexOf(key)] ?? [];
      next = keys.length === size ? from(keys.at(-1) ?? first) : undefined;
      yield page;
    }
  }

  /** SQLite writes numbers into JSON with 15 digits; 17 make them exact. */
  #exactly(value: Expression<unknown>): Expression<unknown> {
    return this.dialect === "sqlite"
      ? sql`iif(typeof(${value}) = 'real', printf('%!.17g', ${value}), ${value})`
      : value;
  }

  #contains(text: Expression<unknown>, word: string): Expression<SqlBool> {
    if (this.dialect === "postgres") return sql`${text} like ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`;
    return sql`instr(${text}, ${word}) > 0`;
  }

  /** Checks an entire SQLite file. Rejects with `DamagedError`. */
  async check(): Promise<void> {
    const rows = await this.#executor.run([{ sql: "pragma quick_check(1)", parameters: [] }]);
    if (!rows.some((row) => Object.values(row).includes("ok"))) throw new DamagedError("The index is damaged.");
  }

  /** Copies the current SQLite file to a new path. */
  async copyTo(path: string): Promise<void> {
    await this.#executor.run([{ sql: "vacuum into ?", parameters: [path] }]);
  }

  async close(): Promise<void> {
    if (this.#reader !== this.#executor) await this.#reader.close();
    await this.#executor.close();
  }

  async #raw(...statements: readonly string[]): Promise<void> {
    await this.#executor.run(statements.map((text) => ({ sql: text, parameters: [] })));
  }
}

/** A word in SQLite's search syntax, with any characters escaped. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

const DIALECTS: Readonly<Record<SqlDialect, (executor: Executor, reader: Executor) => Dialect>> = {
  sqlite: (executor, reader) => ({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ExecutorDriver(executor, reader),
    createIntrospector: (query) => new SqliteIntrospector(query),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  postgres: (executor, reader) => ({
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ExecutorDriver(executor, reader),
    createIntrospector: (query) => new PostgresIntrospector(query),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
};

function statementOf({ sql: text, parameters }: Statement): Statement {
  return { sql: text, parameters: parameters.map(storable) };
}

/** A text for both databases: valid UTF-8 without zero characters, at which SQLite's readers end a text. */
function storable(value: unknown): unknown {
  return typeof value === "string" ? toUSVString(value.replaceAll("\0", "")) : value;
}

/** Passes queries on, each separately. */
class ExecutorDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(executor: Executor, reader: Executor) {
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery) => {
        const runs = query.query.kind === "SelectQueryNode" ? reader : executor;
        return { rows: (await runs.run([statementOf(query)])) as R[] }; // The schema's types are those of a query's rows.
      },
      streamQuery: () => {
        throw new Error("rows are not streamed");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error("transactions are made by IndexDatabase.write");
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
