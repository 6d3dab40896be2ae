import { existsSync } from "node:fs";
import { type ConformanceRow, projectGoldens, runConformance } from "@/verify/conformance";
import { CliError, EXIT, type ExitCode } from "../process/exit";
import { programRoot } from "../process/root";
import { write } from "../text/output";
import { printable } from "../text/printable";

export interface ConformanceOptions {
  readonly json?: boolean;
}

/** `conformance`: runs every golden case of a folder, or of the project, through this program. Exits with 1 if one fails. */
export async function conformance(dir: string | undefined, { json }: ConformanceOptions): Promise<ExitCode> {
  const folders = dir === undefined ? projectGoldens(programRoot()) : [dir];
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw nothingAt(missing);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  let files = 0;
  for await (const row of rowsOf(folders)) {
    files += 1;
    totals.passed += row.passed;
    totals.failed += row.failed.length;
    totals.skipped += row.skipped;
    await write(json ? `${JSON.stringify(row)}\n` : lineOf(row));
  }
  if (files === 0) throw nothingAt(folders.join(", "));
  const { passed, failed, skipped } = totals;
  await write(json ? `${JSON.stringify(totals)}\n` : `${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 ? EXIT.done : EXIT.failed;
}

async function* rowsOf(folders: readonly string[]): AsyncGenerator<ConformanceRow> {
  for (const folder of folders) yield* runConformance(folder);
}

function nothingAt(path: string): CliError {
  return new CliError(EXIT.unreadable, `there are no golden cases at ${path}.`);
}

function lineOf(row: ConformanceRow): string {
  const name = `${row.system}@${row.preset} ${row.function}`;
  if (row.skipped > 0) return `${printable(`${name}: ${row.skipped} skipped, not implemented`)}\n`;
  const failures = row.failed.map(({ id, difference }) => `  ${id}: ${difference}`);
  const lines = [`${name}: ${row.passed} passed, ${row.failed.length} failed`, ...failures];
  return lines.map((line) => `${printable(line)}\n`).join("");
}
