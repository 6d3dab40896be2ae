/**
 * Compares the time of reading a recording (from the file on disk to the page's columns, without exact tokens) with the time of splitting the
 * same file into lines and parsing them with JSON.parse, in the same process and with warm code. Both ways open, read and decode the file;
 * the bare way does so as fast as Node can, by `readFileSync` with an encoding.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { sumOf } from "@/lib/core/base/numbers";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { looksLikeDocument } from "@/lib/core/records/document";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { type InputGroup, withInputGroups } from "./support/inputs";
import { markdownTable } from "./support/table";

/** Warm-up time of the code. */
const WARM_MS = 2500;
/**
 * Number and duration of the measurements of each file. The two ways take turns, so that a busy machine slows both. A file of a few
 * kilobytes takes so little time that a few rounds would measure the machine more than the file.
 */
const ROUNDS = 9;
const MEASURED_MS = 200;

interface Measured {
  readonly bare: number;
  readonly read: number;
}

export async function main([option, ...paths]: readonly string[]): Promise<void> {
  if (option === "--child") console.log(JSON.stringify(measureAll(paths)));
  else if (option === "--cold") console.log(JSON.stringify(timed(() => read(paths[0] ?? ""))));
  else await printAll();
}

async function printAll(): Promise<void> {
  console.log(
    `Both ways open, read and decode the file. Of each file the fastest of at least ${ROUNDS} rounds and ${MEASURED_MS} ms (what else the machine does`,
  );
  console.log(
    "can only add), code warm, a process a row. Worst: the file with the row's highest ratio, and its size. Cold: the row's",
  );
  console.log("largest file as the first thing that a process does.\n");
  const rows = await withInputGroups(async (groups) => groups.map(row));
  const head = ["", "lines + JSON.parse, ms", "reading, ms", "ratio", "MB/s", "worst", "cold, ms"];
  console.log(markdownTable(head, rows));
}

function row({ label, files }: InputGroup): string[] {
  const measured = inProcess<Measured[]>(
    "--child",
    files.map(({ path }) => path),
  );
  const bare = sumOf(measured.map((file) => file.bare));
  const reading = sumOf(measured.map((file) => file.read));
  const bytes = sumOf(files.map((file) => file.bytes));
  const worst = worstOf(measured);
  const largest = files.reduce((most, file) => (file.bytes > most.bytes ? file : most));
  return [
    label,
    milliseconds(bare),
    milliseconds(reading),
    (reading / bare).toFixed(2),
    (bytes / 1000 / reading).toFixed(0),
    files.length === 1 ? "" : `${worst.ratio.toFixed(2)} (${((files[worst.index]?.bytes ?? 0) / 1000).toFixed(1)} KB)`,
    inProcess<number>("--cold", [largest.path]).toFixed(0),
  ];
}

function milliseconds(value: number): string {
  return value.toFixed(value < 1 ? 3 : 0);
}

/** The file with the highest ratio of reading time to bare parsing time. */
function worstOf(measured: readonly Measured[]): { readonly index: number; readonly ratio: number } {
  return measured
    .map(({ bare, read }, index) => ({ index, ratio: read / bare }))
    .reduce((most, one) => (one.ratio > most.ratio ? one : most));
}

function inProcess<T>(option: string, paths: readonly string[]): T {
  const run = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.main(process.argv.slice(1)))`;
  const answer = execFileSync(process.execPath, ["-e", run, "--", option, ...paths], { encoding: "utf8" });
  // We wrote this line ourselves, above.
  return JSON.parse(answer) as T;
}

function measureAll(paths: readonly string[]): Measured[] {
  const warm = performance.now() + WARM_MS;
  while (performance.now() < warm) {
    for (const path of paths) {
      parseBare(path);
      read(path);
    }
  }
  return paths.map(measure);
}

function measure(path: string): Measured {
  const bare: number[] = [];
  const reading: number[] = [];
  const end = performance.now() + MEASURED_MS;
  while (bare.length < ROUNDS || performance.now() < end) {
    bare.push(timed(() => parseBare(path)));
    reading.push(timed(() => read(path)));
  }
  return { bare: Math.min(...bare), read: Math.min(...reading) };
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function read(path: string): unknown {
  return columnsFromTranscript(readTranscript(path).transcript);
}

/** The least work of any reader of such a file. */
function parseBare(path: string): number {
  const text = readFileSync(path, "utf8");
  if (looksLikeDocument(text.slice(0, 65_536))) return JSON.parse(text) === null ? 0 : 1;
  let records = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      JSON.parse(line);
      records += 1;
    } catch {
      // A damaged line, which is not counted here.
    }
  }
  return records;
}
