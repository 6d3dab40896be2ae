/**
 * Measures the time to open a session and count it by its agent's own rule. Two new processes do it one after the other: the first with an empty disk cache,
 * the second with the cache that the first one filled.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { counters } from "@/lib/server/base/counters";
import { makerOf } from "@/lib/server/base/made-by";
import type { CatalogEntry } from "@/lib/server/list/files/entries";
import { SessionStore } from "@/lib/server/sessions/session-store";
import { DiskCache } from "@/lib/server/store/disk-cache";
import { CachedRunner } from "@/lib/server/threads/cached-runner";
import { PoolRunner } from "@/lib/server/threads/pool";
import { SAMPLES, SAMPLES_BY_AGENT } from "./support/inputs";
import { makeLarge } from "./support/large";
import { markdownTable, median } from "./support/table";

const MEGABYTES = [4, 100];
const RUNS = 5;
/** Modification time of the files, in seconds since 1970: old enough to be cached. */
const WRITTEN = 1_700_000_000;

/** Result of one process. */
export interface Reopened {
  readonly openMs: number;
  readonly countMs: number;
  readonly rows: number;
  readonly filesParsed: number;
  readonly filesCounted: number;
}

/** Folders of a process that opens a session. */
interface Place {
  /** Folder of the program. */
  readonly root: string;
  readonly path: string;
  /** Folder of the disk cache. */
  readonly opened: string;
}

export async function main([first, place = ""]: readonly string[]): Promise<void> {
  // `openInProcess` wrote the argument.
  if (first === "--child") return console.log(JSON.stringify(await open(JSON.parse(place) as Place)));
  const rows: string[][] = [];
  const base = mkdtempSync(join(tmpdir(), "context-replay-reopen-"));
  try {
    for (const { agent, sample } of SAMPLES_BY_AGENT) {
      for (const megabytes of MEGABYTES) {
        const path = join(base, `${agent}-${megabytes}.jsonl`);
        await makeLarge(join(SAMPLES, sample), path, megabytes * 1e6);
        utimesSync(path, WRITTEN, WRITTEN);
        rows.push(...rowsOf(`${agent}, ${megabytes} MB`, base, path));
      }
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  console.log(`Each time in a new process, whose threads are started with it; median of ${RUNS} runs.\n`);
  console.log(markdownTable(["", "open, ms", "count by the agent's rule, ms", "files parsed; counted"], rows));
}

function rowsOf(label: string, base: string, path: string): string[][] {
  const cold: Reopened[] = [];
  const again: Reopened[] = [];
  for (let run = 0; run < RUNS; run++) {
    const opened = mkdtempSync(join(base, "opened-"));
    for (const runs of [cold, again]) runs.push(openInProcess(import.meta.url, { root: process.cwd(), path, opened }));
  }
  return [
    [`${label}, first`, ...metricsOf(cold)],
    [`${label}, again`, ...metricsOf(again)],
  ];
}

function metricsOf(runs: readonly Reopened[]): string[] {
  const work = runs.map(({ filesParsed, filesCounted }) => `${filesParsed}; ${filesCounted}`);
  const times = [runs.map(({ openMs }) => openMs), runs.map(({ countMs }) => countMs)];
  return [...times.map((ms) => median(ms).toFixed(0)), [...new Set(work)].join(" or ")];
}

/** Opens a session in a process of its own. @param script address of this module as it was bundled */
export function openInProcess(script: string, place: Place): Reopened {
  const run = `import(${JSON.stringify(script)}).then((bench) => bench.main(process.argv.slice(1)))`;
  const args = ["-e", run, "--", "--child", JSON.stringify(place)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Reopened; // `main` printed it.
}

async function open({ root, path, opened }: Place): Promise<Reopened> {
  const started = performance.now();
  const runner = new CachedRunner(new PoolRunner(root), new DiskCache(opened, 1e9), () => makerOf(root, ""));
  const { size: bytes, mtimeMs } = statSync(path);
  const named = { id: "one", source: "", agent: null, path, name: "session.jsonl", placed: {} };
  const entry: CatalogEntry = { ...named, kind: "folder", version: { bytes, mtimeMs } };
  const session = await new SessionStore({ asked: runner, background: runner }).open(entry);
  const isOpen = performance.now();
  const { length: rows } = await session.tokens(ownEstimator(session.summary));
  const isCounted = performance.now();
  await runner.close();
  const { filesParsed, filesCounted } = counters;
  return { openMs: isOpen - started, countMs: isCounted - isOpen, rows, filesParsed, filesCounted };
}
