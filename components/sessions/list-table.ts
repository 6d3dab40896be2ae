import { saveFile } from "@/components/export/save";
import { fileName, type TableData } from "@/components/export/table-data";
import { getReport } from "@/lib/api/exports";
import type { CellValue } from "@/lib/core/base/csv";
import type { RowView } from "./row-view";

/** The columns of a list that is saved: those of the page that hold figures or words, and what tells sessions of one title apart. */
const VALUES = {
  title: ({ title }) => title,
  file: ({ title, file }) => file ?? title,
  agent: ({ agent }) => agent?.label ?? null,
  project: ({ project }) => project,
  model: ({ models }) => models.join(", ") || null,
  when: ({ at }) => (at === null ? null : new Date(at).toISOString()),
  requests: ({ requests }) => requests,
  peak: ({ peak }) => peak,
  compactions: ({ compactions }) => compactions,
  sent: ({ sent }) => sent,
  cost: ({ cost }) => cost,
  notRead: ({ notRead }) => notRead,
  id: ({ id }) => id,
} as const satisfies Record<string, (row: RowView) => CellValue>;

type ListColumn = keyof typeof VALUES;

/** The sessions of a list as figures. What is not known is left empty. */
export function listTable(rows: readonly RowView[], headOf: (column: ListColumn) => string): TableData {
  const columns = Object.keys(VALUES) as ListColumn[]; // The keys of a constant.
  return {
    heads: columns.map(headOf),
    rows: rows.map((row) => columns.map((column) => VALUES[column](row))),
  };
}

/** Has a report of sessions made and saves it. Rejects with `ApiError`. */
export async function saveReport(name: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
  saveFile(fileName(`context-replay ${name}`, "html"), await getReport(ids, signal));
}
