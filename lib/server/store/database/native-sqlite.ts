import type LibsqlDatabase from "libsql";

/** SQLite as a native library, which opens files that other programs have open too, and whose locks end with the process. */
export type NativeSqlite = typeof LibsqlDatabase;

/**
 * The native SQLite, or `undefined` where there is none: it is an optional dependency, so it is missing where it was not installed or does not exist for the
 * platform.
 */
export async function nativeSqlite(): Promise<NativeSqlite | undefined> {
  try {
    const { default: Database } = await import("libsql");
    return Database;
  } catch {
    return undefined; // The error depends on which platform package is missing.
  }
}
