import type { LinearScale } from "./scale";

/** What of a series is drawn: requests `from` to `to` (half-open), where `include` says yes. */
export interface StepRange {
  readonly from: number;
  readonly to: number;
  readonly include?: (request: number) => boolean;
}

/**
 * The path of a series as steps: a request is discrete, its value holds until the next one. Requests that fall into
 * the same pixel column are drawn as one vertical stroke from their least to their greatest value, so that no peak and
 * no drop is lost and the path never has more than a few commands a pixel.
 */
export function stepPath(values: ArrayLike<number>, x: LinearScale, y: LinearScale, range: StepRange): string {
  const out: string[] = [];
  let column = Number.NaN;
  let low = 0;
  let high = 0;
  let last = 0;
  let open = false;
  const flush = (): void => {
    if (!open || low === high) return;
    if (high !== last) out.push(`V${round(y.px(high))}`);
    if (low !== last) out.push(`V${round(y.px(low))}`);
    out.push(`V${round(y.px(last))}`);
  };
  for (let request = range.from; request < range.to; request += 1) {
    const included = range.include?.(request) ?? true;
    if (!included) {
      flush();
      if (open) out.push(`H${round(x.px(request))}`);
      open = false;
      continue;
    }
    const value = values[request] ?? 0;
    const px = Math.round(x.px(request));
    if (!open) {
      out.push(`M${round(x.px(request))} ${round(y.px(value))}`);
      open = true;
    } else if (px !== column) {
      flush();
      out.push(`H${round(x.px(request))}V${round(y.px(value))}`);
    } else {
      low = Math.min(low, value);
      high = Math.max(high, value);
      last = value;
      continue;
    }
    column = px;
    low = value;
    high = value;
    last = value;
  }
  flush();
  if (open) out.push(`H${round(x.px(range.to))}`);
  return out.join("");
}

/** The same steps as a closed area down to the axis. */
export function stepArea(values: ArrayLike<number>, x: LinearScale, y: LinearScale, range: StepRange): string {
  if (range.to <= range.from) return "";
  const line = stepPath(values, x, y, { from: range.from, to: range.to });
  return `${line}V${round(y.px(0))}H${round(x.px(range.from))}Z`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
