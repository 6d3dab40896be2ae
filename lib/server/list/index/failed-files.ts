import type { IndexDatabase } from "../../store/database/database";
import { type Failed, TOLD } from "../files/source-problems";
import type { IndexColumns } from "./index-columns";
import { rowsOf } from "./index-rows";

/** The files of every source that could not be read as sessions. */
export async function failedFiles(
  database: IndexDatabase,
  columns: IndexColumns,
  sources: readonly string[],
): Promise<ReadonlyMap<string, Failed>> {
  await columns.refresh();
  const [shown, gone] = [columns.number("shown"), columns.number("gone")];
  const [states, sourceOf] = [columns.text("state"), columns.text("source")];
  const title = (place: number) => `${columns.titles[place]}\0${columns.ids[place]}`;
  const told = sources.map(async (source): Promise<[string, Failed][]> => {
    const places = columns.where([
      (place) => shown[place] === 1 && gone[place] === 0,
      (place) => states.values[states.codes[place] ?? 0] === "failed",
      (place) => sourceOf.values[sourceOf.codes[place] ?? 0] === source,
    ]);
    if (places.length === 0) return [];
    const ids = Array.from(places)
      .sort((a, b) => (title(a) < title(b) ? -1 : 1))
      .slice(0, TOLD)
      .map((place) => columns.ids[place] ?? "");
    const rows = await rowsOf(database, ids);
    const named = ids.flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const program = row.errorProgram === undefined ? {} : { program: row.errorProgram };
      return [{ id, name: row.name, reason: row.errorCode ?? "unreadable", ...program }];
    });
    return [[source, { failed: named, failedTotal: places.length }]];
  });
  return new Map((await Promise.all(told)).flat());
}
