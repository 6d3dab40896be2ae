import { displayWidth, padEnd, padStart } from "./display-width";
import { printable } from "./printable";

type Side = "left" | "right";

/** Lays out rows as columns padded with spaces: the first column aligns left and the others right, unless `sides` says otherwise. */
export function aligned(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  sides: readonly Side[] = head.map((_, column) => (column === 0 ? "left" : "right")),
): string {
  if (rows.length === 0) return "";
  const cells = [head, ...rows].map((row) => row.map((cell) => printable(String(cell))));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return sides[column] === "left" ? padEnd(cell, width) : padStart(cell, width);
    });
  return cells.map((row) => line(row).join("  ").trimEnd()).join("\n");
}
