/** An SQL statement with its values, in one dialect. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The database that a statement is for. */
export type SqlDialect = "sqlite" | "postgres";

export type Row = Readonly<Record<string, unknown>>;

/** Runs statements. Each call is one transaction: all of its statements take effect, or none. */
export interface Executor {
  /** The rows of the last statement. */
  run(statements: readonly Statement[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** The index's file is damaged: it has to be set aside and recreated. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}
