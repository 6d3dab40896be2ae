/** A time in milliseconds as ISO 8601; null if there is none, or if its year does not have four digits. */
export function instant(at: number | undefined): string | null {
  const date = new Date(at ?? Number.NaN);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : null;
}
