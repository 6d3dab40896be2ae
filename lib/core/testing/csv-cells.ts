/** The cells of CSV by RFC 4180, row by row, as a spreadsheet reads them. */
export function csvCells(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, cell = "", end] = match;
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\r\n") rows.push([]);
    if (pattern.lastIndex === text.length) break;
  }
  return rows.slice(0, -1);
}
