import { Pool, types } from "pg";
import type { Executor, Row, Statement } from "./statement";

/** The most connections at once. */
const CONNECTIONS = 6;

/** PostgreSQL's types of whole numbers and sums of them, which its client gives as texts; ours are all below 2 ** 53. */
const NUMBER_TYPES = [20, 1700];

/** Runs statements on a PostgreSQL server. */
export class PostgresExecutor implements Executor {
  readonly #pool: Pool;

  /** @param address as `postgres://user:password@host:port/database` */
  constructor(address: string) {
    const getTypeParser = ((type: number, format?: "text") =>
      NUMBER_TYPES.includes(type) ? Number : types.getTypeParser(type, format)) as typeof types.getTypeParser; // binary results are never asked for
    this.#pool = new Pool({ connectionString: address, max: CONNECTIONS, types: { getTypeParser } });
    // A connection that breaks while nobody uses it is made again when somebody does.
    this.#pool.on("error", () => undefined);
  }

  async run(statements: readonly Statement[]): Promise<readonly Row[]> {
    const [only] = statements;
    if (statements.length === 1 && only !== undefined)
      return (await this.#pool.query(only.sql, [...only.parameters])).rows;
    const client = await this.#pool.connect();
    let rows: readonly Row[] = [];
    let failed: Error | undefined;
    try {
      await client.query("begin");
      for (const { sql, parameters } of statements) rows = (await client.query(sql, [...parameters])).rows;
      await client.query("commit");
      return rows;
    } catch (error) {
      failed = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // A connection within a failed transaction is not used again.
      client.release(failed);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
