/** What a cell of a table of figures holds; `null` is absent, and an empty cell in CSV. */
export type CellValue = string | number | boolean | null;

/**
 * Beginnings that spreadsheets take for a formula, full-width forms included, which some of them fold; a tab or a carriage return may stand for one
 * (OWASP, "CSV Injection"). What stands in a transcript must never run in one.
 */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r])/u;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/**
 * A table as CSV (RFC 4180): commas, lines that end with CR LF, a head first. It begins with the mark by which spreadsheets know
 * UTF-8. Numbers are written in full with a point; a text that a spreadsheet would take for a formula has an apostrophe before it.
 */
export function csvText(heads: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  const lines = [heads, ...rows].map((cells) => cells.map(cellText).join(","));
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

function cellText(value: CellValue): string {
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
