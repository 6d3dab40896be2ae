import type LibsqlDatabase from "libsql";

/** SQLite as a native library, which can open files that other programs have open. Its locks end with the process. */
export type NativeSqlite = typeof LibsqlDatabase;

/** The native SQLite, or `undefined`: it is an optional dependency, missing if it was not installed or does not exist for the platform. */
export async function nativeSqlite(): Promise<NativeSqlite | undefined> {
  try {
    const { default: Database } = await import("libsql");
    return Database;
  } catch {
    return undefined; // The error depends on which platform package is missing.
  }
}
