/** A point of a line: where on the axis, and how high. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/**
 * A series with no more than about `most` points. Of the values that share a place their least, greatest and last are kept, in their order, so that no
 * peak and no drop is lost.
 */
export function thinned(values: readonly number[], most: number): LinePoint[] {
  const width = Math.max(1, Math.ceil((values.length * 3) / most));
  const points: LinePoint[] = [];
  for (let from = 0; from < values.length; from += width) {
    const kept = new Set(ends(values, from, Math.min(values.length, from + width)));
    for (const at of [...kept].sort((a, b) => a - b)) points.push({ x: at, y: values[at] ?? 0 });
  }
  return points;
}

/** Where the least, the greatest and the last of some values are. */
function ends(values: readonly number[], from: number, to: number): number[] {
  let low = from;
  let high = from;
  for (let at = from; at < to; at += 1) {
    if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
    if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
  }
  return [low, high, to - 1];
}
