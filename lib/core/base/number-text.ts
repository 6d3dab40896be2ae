/** Formats a count with digits in groups of three and a minus sign (`−72`); `n/a` if it is unknown. */
export function countText(value: number | null): string {
  if (value === null) return "n/a";
  return Number.isSafeInteger(value) && value >= 0 ? grouped(String(value)) : withMinus(value.toLocaleString("en-US"));
}

/** Writes a minus sign for the hyphen before a negative number. */
export function withMinus(number: string): string {
  return number.replace(/^-/, "−");
}

/** Formats a count with a regular noun: `1 request`, `2 requests`, `n/a requests`. */
export function countedText(value: number | null, noun: string): string {
  return `${countText(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * Inserts a comma before every three digits, as `toLocaleString("en-US")` does. Loading the locale tables takes as long as reading a small recording.
 * @param digits of a non-negative whole number
 */
export function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}

/** Formats dollars to the cent, with more digits below one dollar; `n/a` if the amount is unknown. */
export function usdText(amount: number | null): string {
  if (amount === null) return "n/a";
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return `$${fixed(amount, digits)}`;
}

/** True if two amounts in dollars differ by less than the smallest amount that is ever shown. */
export function isSameUsd(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.0000005;
}

/** Formats a number in English with a fixed number of decimals. */
function fixed(amount: number, digits: number): string {
  const written = String(amount);
  if (amount < 0 || written.includes("e")) {
    return amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }
  // Rounds the decimal digits as written: 1.005 becomes 1.01, although the binary number is slightly smaller.
  const rounded = Number(`${Math.round(Number(`${written}e${digits}`))}e-${digits}`).toFixed(digits);
  const [whole = "", rest = ""] = rounded.split(".");
  return `${grouped(whole)}.${rest}`;
}

/** A duration as text, such as `1 min 11 s`; `n/a` if it is not known. */
export function durationText(ms: number | null | undefined): string {
  if (ms == null) return "n/a";
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  return first < 0
    ? "0 s"
    : parts
        .slice(first, first + 2)
        .map(([amount, unit]) => `${amount} ${unit}`)
        .join(" ");
}
