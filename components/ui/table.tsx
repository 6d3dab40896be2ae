import { type ComponentProps, Fragment, type Key, type ReactNode } from "react";
import type { CellValue } from "@/lib/core/base/csv";
import { cn } from "./cn";

/** The properties of an element, with attributes such as `data-metric`. */
type Marked<Tag extends "td" | "tr"> = ComponentProps<Tag> & { readonly [mark: `data-${string}`]: unknown };

/** A column: its head, and the content of each row. */
export interface Column<Row> {
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** The cell's full text, for exports. Columns without it are not exported. */
  readonly value?: (row: Row) => CellValue;
  /** Plain text of the head for exports, if `head` is not text. */
  readonly name?: string;
  /** Aligns it to the right. */
  readonly numeric?: boolean;
  /** True if its cells name their rows. */
  readonly namesRow?: boolean;
  /** Classes of its head and cells. */
  readonly className?: string;
  readonly headClass?: string;
  readonly cellClass?: string;
  readonly cellProps?: (row: Row) => Marked<"td">;
  /** Order of the rows, if they are sorted by this column. */
  readonly sorted?: "ascending" | "descending" | undefined;
  /** Content below its cells, such as their sum. */
  readonly foot?: ReactNode;
}

interface TableProps<Row> extends ComponentProps<"table"> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => Key;
  readonly rowProps?: (row: Row) => Marked<"tr">;
  /** Rows that follow a row. */
  readonly rowDetails?: (row: Row) => ReactNode;
  /** Its name; visible only to screen readers, unless it has a class. */
  readonly caption?: ReactNode;
  readonly captionClass?: string;
  /** True if the heads stay in view while the rows scroll. */
  readonly hasStickyHead?: boolean;
}

/** A dense table: rows of 24 px, heads in the quietest text. Its children are further rows. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, rowKey, rowProps, rowDetails, hasStickyHead, ...table } = props;
  const { caption, captionClass = "sr-only", className, children, ...rest } = table;
  const HeadRow = hasStickyHead ? "tr" : TableRow;
  return (
    <table className={cn("w-full border-collapse text-sm", className)} {...rest}>
      {caption !== undefined && <caption className={captionClass}>{caption}</caption>}
      <thead className={hasStickyHead ? "sticky top-0 z-10 bg-bg" : undefined}>
        <HeadRow>
          {columns.map(({ head, numeric, sorted, className, headClass }, index) => (
            <TableHead key={keyOf(index)} numeric={numeric} aria-sort={sorted} className={cn(className, headClass)}>
              {head}
            </TableHead>
          ))}
        </HeadRow>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Fragment key={rowKey(row, index)}>
            <TableRow {...rowProps?.(row)}>
              {columns.map((column, index) => (
                <Cell key={keyOf(index)} column={column} row={row} />
              ))}
            </TableRow>
            {rowDetails?.(row)}
          </Fragment>
        ))}
        {children}
      </tbody>
      {columns.some(({ foot }) => foot !== undefined) && <Foot columns={columns} />}
    </table>
  );
}

/** A column is keyed by its index: its cells hold no state that would have to move with it. */
function keyOf(index: number): string {
  return `column ${index}`;
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { cell, numeric, namesRow, className, cellClass, cellProps } = column;
  const { className: own, ...rest } = cellProps?.(row) ?? {};
  const Tag = namesRow ? RowHead : TableCell;
  return (
    <Tag numeric={numeric} className={cn(className, cellClass, own)} {...rest}>
      {cell(row)}
    </Tag>
  );
}

function Foot<Row>({ columns }: Pick<TableProps<Row>, "columns">) {
  return (
    <tfoot>
      <tr className="border-t border-t1 font-semibold">
        {columns.map(({ foot, numeric, namesRow, className }, index) => {
          const Tag = namesRow ? RowHead : TableCell;
          return (
            <Tag key={keyOf(index)} numeric={numeric} className={cn(namesRow && "h-8 font-semibold", className)}>
              {foot}
            </Tag>
          );
        })}
      </tr>
    </tfoot>
  );
}

interface CellProps extends ComponentProps<"th"> {
  readonly numeric?: boolean | undefined;
}

export function TableHead({ className, numeric = false, scope = "col", ...props }: CellProps) {
  return (
    <th
      scope={scope}
      className={cn(
        "h-6 px-2 text-sm font-medium whitespace-nowrap text-t3",
        numeric ? "text-right" : "text-left",
        className,
      )}
      {...props}
    />
  );
}

export function RowHead({ className, ...props }: CellProps) {
  return <TableHead scope="row" className={cn("text-sm font-normal text-t1", className)} {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("border-b border-line", className)} {...props} />;
}

export function TableCell({ className, numeric = false, ...props }: CellProps) {
  return <td className={cn("h-6 px-2", numeric && "text-right", className)} {...props} />;
}

/** A scrolling region that the keyboard can reach. */
export function ScrollRegion(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
  return <section tabIndex={0} {...props} />;
}
