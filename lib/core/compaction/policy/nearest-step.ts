/** A scale of values: its ends, and the distance between two neighbours. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** The value on a scale that brings a threshold nearest to a number of tokens. Bisects: the threshold is monotonic in the value, rising or falling. */
export function nearestStep(
  scale: Scale,
  threshold: (value: number) => number,
  rising: boolean,
  tokens: number,
): number {
  let low = 0;
  let high = Math.floor((scale.max - scale.min) / scale.step + 1e-9);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const below = threshold(stepValue(scale, middle)) <= tokens;
    if (below === rising) low = middle;
    else high = middle;
  }
  const distance = (step: number): number => Math.abs(threshold(stepValue(scale, step)) - tokens);
  return stepValue(scale, distance(low) <= distance(high) ? low : high);
}

/** Value of a step, without the noise of floating-point sums. */
export function stepValue({ min, max, step: size }: Scale, step: number): number {
  const digits = Math.max(decimals(size), decimals(min));
  return Number(Math.min(max, min + step * size).toFixed(digits));
}

function decimals(value: number): number {
  return (String(value).split(".")[1] ?? "").length;
}
