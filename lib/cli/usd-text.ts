/** Dollars to the cent, of small amounts to what can be seen of them; `n/a` where they are not known. */
export function usdText(amount: number | null): string {
  if (amount === null) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
