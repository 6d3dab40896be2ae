/**
 * Picks the rows of a long series for a chart: from each bucket the rows of the smallest and the largest value, and always the first and the last
 * row, so that no peak or drop is lost. One set of rows serves all series of a stack.
 * @returns ascending row indices within [from, to), at most `maxRows` (at least 4)
 */
export function downsample(values: ArrayLike<number>, from: number, to: number, maxRows: number): Int32Array {
  const length = Math.max(0, to - from);
  if (length <= maxRows) return Int32Array.from({ length }, (_, index) => from + index);
  const buckets = Math.max(1, Math.floor((maxRows - 2) / 2));
  const rows = new Set<number>([from, to - 1]);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = from + Math.floor((bucket * length) / buckets);
    const end = from + Math.floor(((bucket + 1) * length) / buckets);
    const [low, high] = extremes(values, start, end);
    rows.add(low).add(high);
  }
  return Int32Array.from(rows).sort();
}

function extremes(values: ArrayLike<number>, start: number, end: number): readonly [number, number] {
  let low = start;
  let high = start;
  for (let row = start + 1; row < end; row++) {
    const value = values[row] ?? 0;
    if (value < (values[low] ?? 0)) low = row;
    if (value > (values[high] ?? 0)) high = row;
  }
  return [low, high];
}
