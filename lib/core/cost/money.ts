/** Micro-dollars, a whole number: a session's sums are exact up to nine billion dollars. */
export type MicroDollars = number;

/** What so many tokens cost at so many micro-dollars per million, times a factor in ten-thousandths, before it is rounded. */
export interface Charge {
  readonly tokens: number;
  readonly price: number;
}

/** Prices are per million tokens, factors in ten-thousandths. */
const UNIT = 1e6;
const WHOLE_FACTOR = 1e4;

/**
 * What charges come to, rounded half up to a whole micro-dollar. The products are exact, however absurd the recorded figures.
 * @param factor by how much all of it is dearer or cheaper
 */
export function costOf(charges: readonly Charge[], factor: number): MicroDollars {
  const scaled = Math.round(factor * WHOLE_FACTOR);
  let sum = 0;
  for (const { tokens, price } of charges) sum += tokens * price;
  const all = sum * scaled;
  // Sums of whole numbers below this limit were exact on the way as well.
  if (all <= Number.MAX_SAFE_INTEGER) return Math.floor((all + (UNIT * WHOLE_FACTOR) / 2) / (UNIT * WHOLE_FACTOR));
  return exactCostOf(charges, scaled);
}

function exactCostOf(charges: readonly Charge[], scaled: number): MicroDollars {
  const sum = charges.reduce((total, { tokens, price }) => total + BigInt(tokens) * BigInt(price), 0n);
  const unit = BigInt(UNIT * WHOLE_FACTOR);
  return Number((sum * BigInt(scaled) + unit / 2n) / unit);
}

/** Dollars of micro-dollars. */
export function dollarsOf(amount: MicroDollars): number {
  return amount / UNIT;
}
