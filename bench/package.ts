/** Measures the installed package: its size, the time of short commands, and the time to the dashboard's first page. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "../e2e/support/server";
import { SAMPLES } from "./support/inputs";
import { markdownTable, median } from "./support/table";

const RUNS = 7;
const SMALL = "codex-duplicate-messages.jsonl";

export async function main(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "context-replay-package-"));
  try {
    execFileSync("npm", ["pack", "--pack-destination", place], { stdio: "ignore" });
    const tarball = readdirSync(place).find((name) => name.endsWith(".tgz")) ?? "";
    execFileSync("tar", ["xzf", tarball], { cwd: place });
    const program = join(place, "package", "bin", "context-replay.mjs");
    const run = (...args: readonly string[]) => execFileSync(process.execPath, [program, ...args], { stdio: "ignore" });
    const rows = [
      ["node -e 0", timed(() => execFileSync(process.execPath, ["-e", "0"]))],
      ["--version", timed(() => run("--version"))],
      [`inspect ${SMALL}`, timed(() => run("inspect", join(SAMPLES, SMALL)))],
      ["serve, until the first page is delivered", await firstPages(program)],
    ] as const;
    console.log(`The tarball has ${(statSync(join(place, tarball)).size / 1e6).toFixed(2)} MB. ${RUNS} runs each.\n`);
    const cells = rows.map(([what, times]) => [what, median(times).toFixed(0), Math.max(...times).toFixed(0)]);
    console.log(markdownTable(["", "median, ms", "longest, ms"], cells));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function timed(work: () => unknown): readonly number[] {
  return Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/** From the start of the program to the last byte of its first page. */
async function firstPages(program: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const app = await startApp({ program });
    await (await fetch(`${app.origin}/`)).text();
    times.push(performance.now() - start);
    await app.stop();
  }
  return times;
}
