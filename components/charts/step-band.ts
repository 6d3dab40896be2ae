import type { Scale } from "./scale";

/** Requests closer than this share a column, as in a `stepPath`. */
const COLUMN_PX = 2;

/** A column of a band: where it starts, and its least and greatest value. */
interface Column {
  readonly from: number;
  low: number;
  high: number;
}

/**
 * The area between two series of steps, drawn only where they differ. Requests that share a column of pixels are drawn as one,
 * from their least to their greatest value, so the path never has more than a few commands per column.
 * @param range requests, half-open
 */
export function stepBand(
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  x: Scale,
  y: Scale,
  range: { readonly from: number; readonly to: number },
): string {
  let path = "";
  let columns: Column[] = [];
  const close = (to: number): void => {
    if (columns.length > 0) path += outline(columns, to, x, y);
    columns = [];
  };
  for (let request = range.from; request < range.to; request += 1) {
    const [bottom, top] = [low[request] ?? 0, high[request] ?? 0];
    const last = columns.at(-1);
    if (top <= bottom) close(request);
    else if (last !== undefined && x.px(request) < x.px(last.from) + COLUMN_PX) {
      last.low = Math.min(last.low, bottom);
      last.high = Math.max(last.high, top);
    } else if (last?.low !== bottom || last.high !== top) columns.push({ from: request, low: bottom, high: top });
  }
  close(range.to);
  return path;
}

/** The outline runs along the top to the right, and back along the bottom. */
function outline(columns: readonly Column[], to: number, x: Scale, y: Scale): string {
  const edge = (column: number) => round(x.px(columns[column]?.from ?? to));
  const top = columns.map(({ high }, index) => `V${round(y.px(high))}H${edge(index + 1)}`);
  const bottom = columns.map(({ low }, index) => `V${round(y.px(low))}H${edge(index)}`).reverse();
  return `M${edge(0)} ${round(y.px(columns[0]?.low ?? 0))}${top.join("")}${bottom.join("")}Z`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
