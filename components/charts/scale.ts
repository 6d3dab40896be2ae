/** A monotonic scale between a domain and pixels, shared by the stacked areas and the layers over them. */
export interface Scale {
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
  /** Pixel of a value. Values outside the domain give pixels outside the range. */
  readonly px: (value: number) => number;
  /** Value at a pixel, clamped to the domain. */
  readonly value: (px: number) => number;
}

/** A linear scale. A domain without width maps everything to the start of the range. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [d0, d1] = domain;
  const [r0, r1] = range;
  const factor = d1 === d0 ? 0 : (r1 - r0) / (d1 - d0);
  return {
    domain,
    range,
    px: (value) => r0 + (value - d0) * factor,
    value: (px) => (factor === 0 ? d0 : clamp(d0 + (px - r0) / factor, Math.min(d0, d1), Math.max(d0, d1))),
  };
}

/**
 * A scale on which every whole number has a given position, for example every request the time at which it was sent. Between two whole
 * numbers, and beyond the ends, it is linear.
 * @param places positions of every whole number from 0; they never decrease
 */
export function placedScale(
  places: ArrayLike<number>,
  domain: readonly [number, number],
  range: readonly [number, number],
): Scale {
  const byPlace = linearScale([placeOf(places, domain[0]), placeOf(places, domain[1])], range);
  return {
    domain,
    range,
    px: (value) => byPlace.px(placeOf(places, value)),
    value: (px) => clamp(valueAt(places, byPlace.value(px)), domain[0], domain[1]),
  };
}

/** The position of a number, which need not be whole. */
export function placeOf(places: ArrayLike<number>, value: number): number {
  const before = clamp(Math.floor(value), 0, Math.max(0, places.length - 2));
  const [start = 0, end = start] = [places[before], places[before + 1]];
  return start + (value - before) * (end - start);
}

/** The number at a position; of several at one position, the last. */
export function valueAt(places: ArrayLike<number>, place: number): number {
  let low = 0;
  let high = Math.max(0, places.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  const [start = 0, end = start] = [places[low], places[low + 1]];
  return end > start ? low + (place - start) / (end - start) : low;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The smallest step of the form 1, 2, 2.5 or 5 × 10ⁿ that gives at most `count` steps over `span`. It is a whole number, and at least `least`. */
export function niceStep(span: number, count: number, least = 1): number {
  const rough = Math.max(span / Math.max(1, count), least);
  const power = 10 ** Math.floor(Math.log10(rough));
  // Ticks are whole numbers, so there is no step of 2.5 below ten.
  const factors = power > 1 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10];
  const step = factors.find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10;
  return Math.max(least, step * power);
}

/** Ticks at whole multiples of a nice step within a domain. */
export function ticks(domain: readonly [number, number], count: number, least = 1): number[] {
  const [low, high] = domain;
  const step = niceStep(high - low, count, least);
  const found: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(Math.round(tick));
  return found;
}

/** Top of the token axis: the highest value with some space above, rounded so that it rarely changes. */
export function axisTop(...values: readonly number[]): number {
  const highest = Math.max(1, ...values);
  const step = niceStep(highest, 8);
  const top = Math.ceil((highest * 1.02) / step) * step;
  return Math.max(step, top);
}

/**
 * An axis from 0 to beyond a value, with its ticks.
 * @param units number of tick units in 1, for example 100 for ticks in whole cents of a value in dollars
 */
export function axisUpTo(most: number, count: number, units = 1): { readonly top: number; readonly ticks: number[] } {
  const step = niceStep(Math.max(1, most * units), count);
  const top = Math.max(step, Math.ceil((most * units) / step - 1e-9) * step);
  return { top: top / units, ticks: ticks([0, top], top / step, step).map((tick) => tick / units) };
}

/** An axis around values: whole multiples of its step, far enough apart for distinct short labels; from 0 if all values are equal. */
export function axisAround(
  values: readonly number[],
  count: number,
): { readonly domain: [number, number]; readonly ticks: number[] } {
  const least = values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  if (least > high) return { domain: [0, 1], ticks: [0, 1] };
  const low = least === high ? 0 : least;
  const step = niceStep(high - low, count, labelPrecision(high));
  const bottom = Math.floor(low / step) * step;
  const top = Math.ceil(high / step) * step;
  const domain: [number, number] = [bottom, Math.max(top, bottom + step)];
  return { domain, ticks: ticks(domain, Math.ceil((domain[1] - domain[0]) / step), step) };
}

/** The smallest difference that the short label of a value (40.7k, 1.2M) can show. */
function labelPrecision(value: number): number {
  if (value < 1000) return 1;
  return 10 ** (3 * Math.floor(Math.log10(value) / 3) - 1);
}
