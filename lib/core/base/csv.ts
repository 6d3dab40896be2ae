/** Value of a table cell. `null` means absent and becomes an empty cell in CSV. */
export type CellValue = string | number | boolean | null;

/**
 * Text beginnings that spreadsheets read as a formula, full-width signs and a leading tab or carriage return included (OWASP, "CSV Injection").
 * Transcript text must never run as a formula.
 */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r])/u;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/u;

/**
 * Writes a table as CSV (RFC 4180): comma-separated, CR LF line ends, header first. A byte order mark tells spreadsheets that it is UTF-8. Numbers
 * keep all digits and use a decimal point. An apostrophe precedes text that a spreadsheet would read as a formula.
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
