/** Measures the time that Claude Code waits for its status line: the whole process, beside one that does nothing. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAMPLES, SAMPLES_BY_AGENT } from "./support/inputs";
import { makeLarge } from "./support/large";
import { markdownTable, median, quantile } from "./support/table";

const RUNS = 41;
const MEGABYTES = [0.2, 4, 100];
const AIM_MS = 80;

export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-statusline-"));
  try {
    const files = MEGABYTES.map((megabytes) => ({ megabytes, path: join(folder, `${megabytes}.jsonl`) }));
    const [{ sample }] = SAMPLES_BY_AGENT;
    for (const { megabytes, path } of files) await makeLarge(join(SAMPLES, sample), path, megabytes * 1e6);
    const inputs = files.map(({ path }) => JSON.stringify({ transcript_path: path }));
    const times: number[][] = [[], ...inputs.map(() => [])];
    for (let run = 0; run < RUNS; run++) {
      times[0]?.push(timed(["-e", "0"], ""));
      for (const [index, input] of inputs.entries()) times[index + 1]?.push(timed(["dist/statusline.cjs"], input));
    }
    const names = ["node, doing nothing", ...files.map(({ megabytes }) => `statusline, ${megabytes} MB`)];
    const rows = names.map((name, index) => {
      const measured = times[index] ?? [];
      return [
        name,
        median(measured).toFixed(0),
        quantile(measured, 0.95).toFixed(0),
        index === 0 ? "" : String(AIM_MS),
      ];
    });
    console.log(markdownTable(["process", "median, ms", "95th percentile, ms", "aim, ms"], rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(args: readonly string[], input: string): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { input });
  if (status !== 0) throw new Error(`${args.join(" ")} failed`);
  return performance.now() - started;
}
