import type { IndexDatabase } from "../../store/database/database";
import { type Failed, LISTED, NO_PROBLEMS } from "../files/source-problems";
import type { IndexColumns } from "./index-columns";
import { rowsOf } from "./index-rows";

/** Files of a source that could not be read as sessions. */
interface NoSessions extends Failed {
  /** Number of files that the list leaves out, since they are not recognised. */
  readonly unlisted: number;
}

/** The files of every source that could not be read as sessions, and the number of files that are not listed. */
export async function failedFiles(
  database: IndexDatabase,
  columns: IndexColumns,
  sources: readonly string[],
): Promise<ReadonlyMap<string, NoSessions>> {
  await columns.refresh();
  const [shown, gone] = [columns.number("shown"), columns.number("gone")];
  const [states, sourceOf] = [columns.text("state"), columns.text("source")];
  const title = (place: number) => `${columns.titles[place]}\0${columns.ids[place]}`;
  const bySource = sources.map(async (source): Promise<[string, NoSessions][]> => {
    const isOfSource = (place: number) => sourceOf.values[sourceOf.codes[place] ?? 0] === source;
    const unlisted = columns.where([isOfSource, (place) => shown[place] === 0 && gone[place] === 0]).length;
    const places = columns.where([
      (place) => shown[place] === 1 && gone[place] === 0,
      (place) => states.values[states.codes[place] ?? 0] === "failed",
      isOfSource,
    ]);
    if (places.length === 0) {
      const { failed, failedTotal } = NO_PROBLEMS;
      return unlisted === 0 ? [] : [[source, { failed, failedTotal, unlisted }]];
    }
    const ids = Array.from(places)
      .sort((a, b) => (title(a) < title(b) ? -1 : 1))
      .slice(0, LISTED)
      .map((place) => columns.ids[place] ?? "");
    const rows = await rowsOf(database, ids);
    const named = ids.flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const program = row.errorProgram === undefined ? {} : { program: row.errorProgram };
      return [{ id, name: row.name, reason: row.errorCode ?? "unreadable", ...program }];
    });
    return [[source, { failed: named, failedTotal: places.length, unlisted }]];
  });
  return new Map((await Promise.all(bySource)).flat());
}
