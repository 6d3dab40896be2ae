/** Dollars to the cent, with more digits for amounts below a dollar, or `n/a` if the amount is unknown. */
export function usdText(amount: number | null): string {
  if (amount === null) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${fixed(amount, digits)}`;
}

/**
 * The number as English writes it, as `toLocaleString("en-US")` gives it too: loading the tables of languages for that takes a fifth of the time that a
 * status line has.
 */
function fixed(amount: number, digits: number): string {
  const written = String(amount);
  if (amount < 0 || written.includes("e")) {
    return amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }
  // Rounded as a person rounds the digits that are written: 1.005 is 1.01, though the number itself is a little less.
  const rounded = Number(`${Math.round(Number(`${written}e${digits}`))}e-${digits}`).toFixed(digits);
  const [whole = "", rest = ""] = rounded.split(".");
  return `${grouped(whole)}.${rest}`;
}

/** Digits with a comma before every three. */
function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}
