import { FigureValue } from "@/components/format/value";
import type { Column } from "@/components/ui/table";
import type { SWEPT_FIGURES } from "@/lib/core/figures/values";
import type { ShownPoint } from "./points";
import type { SweepWords } from "./use-sweep-words";

/** A figure as a column of a table. @param of what has the figure in a row */
export function figureColumn<Row>(
  figure: (typeof SWEPT_FIGURES)[number],
  words: SweepWords,
  of: (row: Row) => Pick<ShownPoint, "figures" | "bands">,
  className = "",
): Column<Row> {
  return {
    head: words.metric(figure.key),
    numeric: true,
    className,
    cellProps: () => ({ "data-metric": figure.key }),
    value: (row) => of(row).figures[figure.key],
    cell: (row) => {
      const { figures, bands } = of(row);
      return <FigureValue figure={figure} value={figures[figure.key]} band={bands[figure.key]} />;
    },
  };
}
