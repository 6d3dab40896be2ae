/** A count with its digits in groups of three, or `n/a` if it is unknown. */
export function countText(value: number | null): string {
  if (value === null) return "n/a";
  return Number.isSafeInteger(value) && value >= 0 ? grouped(String(value)) : value.toLocaleString("en-US");
}

/** How many there are of what a regular noun names: `1 request`, `2 requests`, `n/a requests`. */
export function countedText(value: number | null, noun: string): string {
  return `${countText(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * Digits with a comma before every three, as English writes a whole number: `toLocaleString("en-US")` gives the same, but loading the tables of languages for that
 * takes as long as reading a small recording.
 * @param digits of a number that is not negative
 */
export function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}

/** Dollars to the cent, with more digits for amounts below a dollar, or `n/a` if the amount is unknown. */
export function usdText(amount: number | null): string {
  if (amount === null) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${fixed(amount, digits)}`;
}

/** Whether two amounts in dollars differ by less than is ever written of an amount. */
export function isSameUsd(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.0000005;
}

/** The number as English writes it. */
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
