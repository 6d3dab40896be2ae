import type { IndexDatabase } from "../../store/database/database";
import { type Failed, TOLD } from "../files/source-problems";
import { rowsOf } from "./index-rows";

/** The files of every source that could not be read as sessions. */
export async function failedFiles(
  database: IndexDatabase,
  sources: readonly string[],
): Promise<ReadonlyMap<string, Failed>> {
  const failed = database.query
    .selectFrom("sessions")
    .where("state", "=", "failed")
    .where("shown", "=", 1)
    .where("gone", "=", 0);
  const counts = await failed
    .select(({ fn }) => ["source", fn.countAll<number>().as("files")])
    .where("source", "in", sources)
    .groupBy("source")
    .execute();
  const told = await Promise.all(
    counts.map(async ({ source, files }): Promise<[string, Failed]> => {
      const ids = await failed
        .select("id")
        .where("source", "=", source)
        .orderBy("title")
        .orderBy("id")
        .limit(TOLD)
        .execute();
      const rows = await rowsOf(
        database,
        ids.map(({ id }) => id),
      );
      const named = ids.flatMap(({ id }) => {
        const row = rows.get(id);
        if (row === undefined) return [];
        const program = row.errorProgram === undefined ? {} : { program: row.errorProgram };
        return [{ id, name: row.name, reason: row.errorCode ?? "unreadable", ...program }];
      });
      return [source, { failed: named, failedTotal: files }];
    }),
  );
  return new Map(told);
}
