/** Time and memory of reading recordings, beside what splitting the same bytes into lines and JSON.parse take. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { readTranscript } from "@/lib/server/ingest/read-transcript";
import { type Input, withInputs } from "./support/inputs";
import { markdownTable, median } from "./support/table";

const RUNS = 3;
const MODES = ["bare", "ingest"] as const;
type Mode = (typeof MODES)[number];

interface Measured {
  readonly ms: number;
  /** Largest resident memory of the process, bytes. */
  readonly peak: number;
}

export async function main(args: readonly string[]): Promise<void> {
  const [option, mode, path] = args;
  if (option === "--child" && path !== undefined) {
    console.log(JSON.stringify(measure(mode === "bare" ? "bare" : "ingest", path)));
    return;
  }
  console.log(
    `Every run in a process of its own, medians of ${RUNS}. Ingest ends with the columns that the page gets.\n`,
  );
  const rows = await withInputs(async (inputs) => inputs.map(row));
  const head = ["", "lines + JSON.parse, ms", "ingest, ms", "ratio", "ingest, MB/s", "peak memory, MB"];
  console.log(markdownTable(head, rows));
}

function row(input: Input): string[] {
  const runs: Record<Mode, Measured[]> = { bare: [], ingest: [] };
  // In turns, so that a busy machine is unkind to both alike.
  for (let run = 0; run < RUNS; run++) for (const mode of MODES) runs[mode].push(inProcess(mode, input.path));
  const bare = median(runs.bare.map(({ ms }) => ms));
  const ingest = median(runs.ingest.map(({ ms }) => ms));
  const peak = Math.max(...runs.ingest.map(({ peak }) => peak));
  return [
    input.label,
    bare.toFixed(0),
    ingest.toFixed(0),
    (ingest / bare).toFixed(2),
    (input.bytes / 1000 / ingest).toFixed(0),
    (peak / 1e6).toFixed(0),
  ];
}

function inProcess(mode: Mode, path: string): Measured {
  const run = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.main(process.argv.slice(1)))`;
  const answer = execFileSync(process.execPath, ["-e", run, "--", "--child", mode, path], { encoding: "utf8" });
  // Our own line, written below.
  return JSON.parse(answer) as Measured;
}

function measure(mode: Mode, path: string): Measured {
  const started = performance.now();
  if (mode === "bare") parseLines(path);
  else columnsFromTranscript(readTranscript(path).transcript);
  return { ms: performance.now() - started, peak: process.resourceUsage().maxRSS * 1024 };
}

/** The least that any reader of such a file has to do. */
function parseLines(path: string): number {
  let records = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    try {
      JSON.parse(line);
      records += 1;
    } catch {
      // A damaged line of the sample: counted by nobody here.
    }
  }
  return records;
}
