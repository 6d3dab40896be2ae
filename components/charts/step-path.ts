import type { Scale } from "./scale";

/** The part of a series to draw: the requests `from` to `to` (half-open) that `include` accepts. */
interface StepRange {
  readonly from: number;
  readonly to: number;
  readonly include?: (request: number) => boolean;
  /** Sizes that the series reached right before a request, by request: a compaction's context before it. */
  readonly reached?: ReadonlyMap<number, number>;
}

/** Requests closer than this, in pixels, share a column. A line is nearly as wide, so nothing visible is lost. */
const COLUMN_PX = 2;

/** Width of the end of a step that shows the size reached there. A stroke on the boundary's own line would not be visible. */
const TIP_PX = 4;

/**
 * The path of a series as steps: a request is discrete, and its value holds until the next one. If there are more requests than
 * columns of pixels, the requests of one column are drawn as one vertical stroke from their lowest to their highest value. No
 * peak and no drop is lost, and the path never has more than a few commands per column.
 */
export function stepPath(values: ArrayLike<number>, x: Scale, y: Scale, range: StepRange): string {
  const path = new StepPath(x, y);
  const { reached } = range;
  for (let request = range.from; request < range.to; request += 1) {
    const before = reached?.get(request);
    if (range.include === undefined || range.include(request)) path.add(request, values[request] ?? 0, before);
    else path.end(request, before);
  }
  return path.end(range.to, reached?.get(range.to));
}

/** Builds a path: holds the current column and the path written before it. */
class StepPath {
  readonly #x: Scale;
  readonly #y: Scale;
  #path = "";
  #open = false;
  /** Start and end of the current column, in pixels. */
  #columnStart = 0;
  #columnEnd = 0;
  #low = 0;
  #high = 0;
  #last = 0;

  constructor(x: Scale, y: Scale) {
    this.#x = x;
    this.#y = y;
  }

  /** @param before size reached right before the request */
  add(request: number, value: number, before = value): void {
    const place = this.#x.px(request);
    if (this.#open && place < this.#columnEnd) {
      this.#low = Math.min(this.#low, value, before);
      this.#high = Math.max(this.#high, value, before);
      this.#last = value;
      return;
    }
    this.#closeColumn();
    const px = round(place);
    if (this.#open) this.#path += `${before === value ? "" : this.#tip(place, before)}H${px}`;
    this.#path += `${this.#open ? "V" : `M${px} `}${round(this.#y.px(value))}`;
    this.#open = true;
    this.#columnStart = place;
    this.#columnEnd = place + COLUMN_PX;
    this.#low = value;
    this.#high = value;
    this.#last = value;
  }

  /** Ends the stretch at a request that is not drawn, and returns the path so far. */
  end(request: number, before?: number): string {
    this.#closeColumn();
    const place = this.#x.px(request);
    if (this.#open) this.#path += `${before === undefined ? "" : this.#tip(place, before)}H${round(place)}`;
    this.#open = false;
    return this.#path;
  }

  /** The short end of a step, raised to the size that was reached there. */
  #tip(place: number, reached: number): string {
    const width = Math.min(TIP_PX, (place - this.#columnStart) / 2);
    return `H${round(place - width)}V${round(this.#y.px(reached))}`;
  }

  #closeColumn(): void {
    if (!this.#open || this.#low === this.#high) return;
    if (this.#high !== this.#last) this.#path += `V${round(this.#y.px(this.#high))}`;
    if (this.#low !== this.#last) this.#path += `V${round(this.#y.px(this.#low))}`;
    this.#path += `V${round(this.#y.px(this.#last))}`;
  }
}

/** The same steps as an area, closed along the axis. */
export function stepArea(values: ArrayLike<number>, x: Scale, y: Scale, range: StepRange): string {
  if (range.to <= range.from) return "";
  const line = stepPath(values, x, y, { from: range.from, to: range.to });
  return `${line}V${round(y.px(0))}H${round(x.px(range.from))}Z`;
}

/** A column of a band: its start, and its lowest and highest value. */
interface Column {
  readonly from: number;
  low: number;
  high: number;
}

/**
 * The area between two series of steps, drawn only where they differ. Requests that share a column of pixels are drawn as one,
 * from their lowest to their highest value, so the path never has more than a few commands per column.
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

/** The outline follows the top to the right, and returns along the bottom. */
function outline(columns: readonly Column[], to: number, x: Scale, y: Scale): string {
  const edge = (column: number) => round(x.px(columns[column]?.from ?? to));
  const top = columns.map(({ high }, index) => `V${round(y.px(high))}H${edge(index + 1)}`);
  const bottom = columns.map(({ low }, index) => `V${round(y.px(low))}H${edge(index)}`).reverse();
  return `M${edge(0)} ${round(y.px(columns[0]?.low ?? 0))}${top.join("")}${bottom.join("")}Z`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
