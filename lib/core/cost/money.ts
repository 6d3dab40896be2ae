/** Micro-dollars, an integer: a session's sums are exact up to nine billion dollars. */
export type MicroDollars = number;

/** A number of tokens and their price in micro-dollars per million. */
interface Charge {
  readonly tokens: number;
  readonly price: number;
}

/** Prices are per million tokens, factors in ten-thousandths. */
const UNIT = 1e6;
const WHOLE_FACTOR = 1e4;

/**
 * Sum of the charges, rounded half up to a whole micro-dollar. The products are exact for any recorded numbers.
 * @param factor on the whole sum
 */
export function costOf(charges: readonly Charge[], factor: number): MicroDollars {
  const scaled = Math.round(factor * WHOLE_FACTOR);
  let sum = 0;
  for (const { tokens, price } of charges) sum += tokens * price;
  return roundedCost(sum, scaled) ?? exactCostOf(charges, scaled);
}

/** Cost of one charge. Replays call this thousands of times, so it creates no list. */
export function costOfOne(tokens: number, price: number, factor: number): MicroDollars {
  const scaled = factor === 1 ? WHOLE_FACTOR : Math.round(factor * WHOLE_FACTOR);
  return roundedCost(tokens * price, scaled) ?? exactCostOf([{ tokens, price }], scaled);
}

/** Rounds half up; `undefined` if the product may not be exact. If the whole sum is below the limit, so were its parts, and all of them are exact. */
function roundedCost(product: number, scaled: number): MicroDollars | undefined {
  const [all, unit] = scaled === WHOLE_FACTOR ? [product, UNIT] : [product * scaled, UNIT * WHOLE_FACTOR];
  return all > Number.MAX_SAFE_INTEGER - unit ? undefined : Math.floor((all + unit / 2) / unit);
}

function exactCostOf(charges: readonly Charge[], scaled: number): MicroDollars {
  const sum = charges.reduce((total, { tokens, price }) => total + BigInt(tokens) * BigInt(price), 0n);
  const unit = BigInt(UNIT * WHOLE_FACTOR);
  return Number((sum * BigInt(scaled) + unit / 2n) / unit);
}

/** Micro-dollars as dollars. */
export function dollarsOf(amount: MicroDollars): number {
  return amount / UNIT;
}
