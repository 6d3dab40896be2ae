import type { Column } from "@/components/ui/table";
import type { FigureBands, KnownFigure } from "@/lib/core/figures/values";
import { FigureValue } from "./value";

/** What a row has of figures. */
interface HasFigures<Known extends KnownFigure> {
  readonly figures: Readonly<Record<Known["key"], number | null>>;
  readonly bands: FigureBands;
}

/** A figure as a column of a table. @param of what has the figure in a row */
export function figureColumn<Row, Known extends KnownFigure>(
  figure: Known,
  head: string,
  of: (row: Row) => HasFigures<Known>,
  className = "",
): Column<Row> {
  const key: Known["key"] = figure.key;
  return {
    head,
    numeric: true,
    className,
    cellClass: "whitespace-nowrap",
    cellProps: () => ({ "data-metric": key }),
    value: (row) => of(row).figures[key],
    cell: (row) => {
      const { figures, bands } = of(row);
      return <FigureValue figure={figure} value={figures[key]} band={bands[key]} />;
    },
  };
}
