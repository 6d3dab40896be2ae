import type { ComponentProps, ReactNode } from "react";
import { type Column, Table } from "@/components/ui/table";
import { ExportMenu } from "./export-menu";
import { tableData } from "./table-data";

interface ExportedTableProps<Row> extends ComponentProps<typeof Table<Row>> {
  /** Name of the file; the caption if absent. */
  readonly name?: string;
  /** Source of its numbers. */
  readonly note?: string;
  /** All rows, if not all are shown. */
  readonly allRows?: readonly Row[];
  /** Columns beyond those shown. */
  readonly allColumns?: readonly Column<Row>[];
}

/** A table with savable numbers: the menu is in the first column's head, which is visible on every screen. */
export function ExportedTable<Row>(props: ExportedTableProps<Row>): ReactNode {
  const { name: given, note, allRows, allColumns, ...table } = props;
  const { caption, columns, rows } = table;
  const name = given ?? (typeof caption === "string" ? caption : "");
  const [first, ...others] = columns;
  if (first === undefined || rows.length === 0) return <Table {...table} />;
  const menu = (
    <ExportMenu
      name={name}
      {...(note !== undefined && { note })}
      table={() => tableData(allColumns ?? columns, allRows ?? rows)}
      isSmall
    />
  );
  const head = (
    <span className="inline-flex items-center gap-1 align-middle">
      {first.head}
      {menu}
    </span>
  );
  return <Table {...table} columns={[{ ...first, head }, ...others]} />;
}
