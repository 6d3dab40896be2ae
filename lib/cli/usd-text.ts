/** Dollars to the cent, with more digits for amounts below a dollar, or `n/a` if the amount is unknown. */
export function usdText(amount: number | null): string {
  if (amount === null) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
