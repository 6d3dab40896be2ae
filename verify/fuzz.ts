/**
 * Tries many thousand changed files: `npm run verify fuzz [reading|answers] [INPUTS] [FIRST SEED]`; without a name it runs both. Each seed
 * gives one input. `reading` makes a few changes to a fixture's bytes, lines or records. The file must then be read without an exception,
 * within a second, and every byte must belong to a record, a blank line or a problem. `answers` puts impossible values, values of other
 * types and lines of other formats into a fixture or a sample. Every answer of the API and the command line must then follow the contract,
 * and its sums must hold.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownTable } from "@/bench/support/table";
import { sumOf } from "@/lib/core/base/numbers";
import { type FuzzName, type FuzzReport, fuzz } from "./fuzz/run";

const INPUTS = { reading: 20_000, answers: 2000 } as const satisfies Record<FuzzName, number>;
/** Number of inputs that one process tries, and the time after which it counts as hanging. */
const SHARE = { reading: 20_000, answers: 2000 } as const satisfies Record<FuzzName, number>;
const PATIENCE_MS = 600_000;

export async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === "--child") return child(rest);
  if (first === "reading" || first === "answers") return run(first, rest);
  for (const name of ["reading", "answers"] as const) run(name, []);
}

async function child([name, from, to, place = ""]: readonly string[]): Promise<void> {
  const note = openSync(place, "w");
  const noted = (seed: number) => writeSync(note, `${seed}`.padEnd(16), 0);
  console.log(JSON.stringify(await fuzz(name === "answers" ? name : "reading", Number(from), Number(to), noted)));
}

function run(name: FuzzName, [wanted, first]: readonly string[]): void {
  const inputs = Number(wanted ?? INPUTS[name]);
  const from = Number(first ?? 1);
  console.log(`\n### ${name}\n`);
  const folder = mkdtempSync(join(tmpdir(), "context-replay-fuzz-"));
  const reports: FuzzReport[] = [];
  const started = performance.now();
  try {
    for (let seed = from; seed < from + inputs; seed += SHARE[name]) {
      reports.push(inProcess(name, seed, Math.min(seed + SHARE[name], from + inputs), join(folder, "seed")));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  print(reports, (performance.now() - started) / 1000, from);
}

function inProcess(name: FuzzName, from: number, to: number, place: string): FuzzReport {
  const code = `import(${JSON.stringify(import.meta.url)}).then((fuzz) => fuzz.main(process.argv.slice(1)))`;
  const args = ["-e", code, "--", "--child", name, String(from), String(to), place];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
  // We wrote this line ourselves, above.
  if (status === 0) return JSON.parse(stdout) as FuzzReport;
  const seed = Number(readFileSync(place, "utf8"));
  const finding = { seed, source: "", wrong: status === null ? "hangs" : `ended the process (${status})` };
  return { inputs: seed - from, bytes: 0, longestMs: 0, byReader: {}, findings: [finding] };
}

function print(reports: readonly FuzzReport[], seconds: number, from: number): void {
  const findings = reports.flatMap((report) => report.findings);
  const inputs = sumOf(reports.map((report) => report.inputs));
  const bytes = sumOf(reports.map((report) => report.bytes));
  const longest = Math.max(...reports.map((report) => report.longestMs));
  console.log(
    `${inputs} inputs from seed ${from} on, ${(bytes / 1e6).toFixed(0)} MB, ${seconds.toFixed(0)} s; the longest took ${longest.toFixed(0)} ms.\n`,
  );
  const readers = [...new Set(reports.flatMap((report) => Object.keys(report.byReader)))];
  const rows = readers.map((reader) => [reader, String(sumOf(reports.map(({ byReader }) => byReader[reader] ?? 0)))]);
  console.log(markdownTable(["reader", "inputs"], rows));
  console.log(`\n${findings.length === 0 ? "Nothing was wrong." : `${findings.length} findings:`}`);
  for (const { seed, source, wrong } of findings) console.log(`\n- seed ${seed}, ${source}: ${wrong}`);
  if (findings.length > 0) process.exitCode = 1;
}
