/**
 * Measures the memory and time of reading as a file grows: 10, 100 and 1,000 MB made of the samples, each read in a process of its own.
 * `npm run bench memory -- AGENT …` measures some agents only; `document` stands for files of one JSON value.
 */
import { execFileSync } from "node:child_process";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { AGENTS_AT_ANY_SIZE, withDocument, withRepeated } from "./support/inputs";
import { markdownTable } from "./support/table";

const MEGABYTES = [10, 100, 1000];
/** A file that is one JSON value must be held whole, and is read up to 256 MB. */
const DOCUMENT_MEGABYTES = [50, 200];
const DOCUMENT = "document";

interface Measured {
  readonly ms: number;
  /** Largest resident memory of the process, bytes. */
  readonly peak: number;
  readonly rows: number;
}

export async function main(args: readonly string[]): Promise<void> {
  const [option, path] = args;
  if (option === "--child" && path !== undefined) {
    console.log(JSON.stringify(measure(path)));
    return;
  }
  console.log(
    "Samples repeated with new ids and later times; retold: written in the format of an agent that has no sample.",
  );
  console.log("Peak: the largest resident memory of the process, Node's own included.\n");
  const rows: string[][] = [];
  for (const agent of AGENTS_AT_ANY_SIZE.filter((one) => args.length === 0 || args.includes(one))) {
    for (const megabytes of MEGABYTES) rows.push(await withRepeated(agent, megabytes, row));
  }
  if (args.length === 0 || args.includes(DOCUMENT)) {
    for (const megabytes of DOCUMENT_MEGABYTES) rows.push(await withDocument(megabytes, row));
  }
  console.log(markdownTable(["", "ms", "MB/s", "items", "peak, MB"], rows));
}

function row({ label, path, bytes }: { label: string; path: string; bytes: number }): string[] {
  const run = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.main(process.argv.slice(1)))`;
  const answer = execFileSync(process.execPath, ["-e", run, "--", "--child", path], { encoding: "utf8" });
  // We wrote this line ourselves, above.
  const { ms, peak, rows } = JSON.parse(answer) as Measured;
  return [label, ms.toFixed(0), (bytes / 1000 / ms).toFixed(0), String(rows), (peak / 1e6).toFixed(0)];
}

function measure(path: string): Measured {
  const started = performance.now();
  const columns = columnsFromTranscript(readTranscript(path).transcript);
  return { ms: performance.now() - started, peak: process.resourceUsage().maxRSS * 1024, rows: columns.length };
}
