import type { Column } from "@/components/ui/table";
import { type CellValue, csvText } from "@/lib/core/base/csv";

/** A table as data for spreadsheets and programs. */
export interface TableData {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
}

/** All rows of a table, with the columns that have a value; columns of buttons and bars have none. */
export function tableData<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): TableData {
  const exported = columns.flatMap(({ head, name, value }) => {
    const title = name ?? (typeof head === "string" ? head : undefined);
    return value === undefined || title === undefined ? [] : [{ title, value }];
  });
  return {
    heads: distinct(exported.map(({ title }) => title)),
    rows: rows.map((row) => exported.map(({ value }) => value(row))),
  };
}

/** Appends numbers to duplicate headings: in JSON, columns with equal names would overwrite each other. */
function distinct(heads: readonly string[]): readonly string[] {
  return heads.map((head, index) => {
    const before = heads.slice(0, index).filter((other) => other === head).length;
    return before === 0 ? head : `${head} (${before + 1})`;
  });
}

export function csvOf({ heads, rows }: TableData): string {
  return csvText(heads, rows);
}

/** A table as JSON: title, source of its numbers, and an object per row. */
export function jsonOf({ heads, rows }: TableData, { title, note }: ExportWords): string {
  const objects = rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? null])));
  return `${JSON.stringify({ title, note, columns: heads, rows: objects }, null, 1)}\n`;
}

/** Text above an exported image, and in JSON. */
export interface ExportWords {
  readonly title: string;
  /** Source of the numbers: recorded, estimated or simulated, with the policy and the requests. */
  readonly note: string;
}

/** A name for a file: the title's letters and digits in any language, joined by hyphens. */
export function fileName(title: string, extension: string): string {
  const words = title.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["context-replay"];
  return `${[...words.join("-").toLowerCase()].slice(0, 80).join("")}.${extension}`;
}
