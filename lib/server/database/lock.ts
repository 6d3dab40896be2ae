import type { NativeSqlite } from "./native-sqlite";

/**
 * Holds a folder for one process. The lock is SQLite's own lock of a file: the system takes it back when the process ends, however it ends. Nothing is
 * ever written to the file.
 */
export class FolderLock {
  readonly #database: InstanceType<NativeSqlite>;

  private constructor(database: InstanceType<NativeSqlite>) {
    this.#database = database;
  }

  /** The lock, or `undefined` while another process has it. Throws where the folder cannot be written to. @param path the lock's file */
  static take(Database: NativeSqlite, path: string): FolderLock | undefined {
    const database = new Database(path, { timeout: 0 });
    try {
      database.exec("pragma busy_timeout = 0");
      database.exec("pragma journal_mode = memory");
      database.exec("begin exclusive");
      return new FolderLock(database);
    } catch (error) {
      database.close();
      if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
      throw error;
    }
  }

  release(): void {
    this.#database.close();
  }
}
