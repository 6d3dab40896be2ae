import { grouped } from "@/lib/core/base/grouped";

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
