/** Measures the time of a sweep in worker threads: 10 × 10 points over 100 recordings of 2,000 items, whose columns are already read. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepPoints, type VaryRange } from "@/lib/core/analysis/grid";
import { type SweepInput, type SweepQuery, sweepAll } from "@/lib/queries/answers/sweep";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { PoolRunner } from "@/lib/server/threads/pool";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const RECORDINGS = 100;
const ITEMS = 2000;
const THREADS = 2;
const RUNS = 3;

function range(key: string, from: number, to: number): VaryRange {
  return { key, from, to, step: (to - from) / 9 };
}

const CASES: readonly SweepQuery[] = [
  { policy: "custom", vary: [range("triggerShare", 0.5, 0.95), range("keepRecentTokens", 4000, 40_000)] },
  { policy: "custom", vary: [range("triggerShare", 0.1, 0.55), range("keepRecentTokens", 1000, 10_000)] },
  { policy: "codex", vary: [range("autoCompactLimit", 45_000, 180_000), range("userMessageTokens", 2000, 20_000)] },
  { policy: "qwen-code", vary: [range("threshold", 0.45, 0.9), range("preserve", 0.05, 0.5)] },
  { policy: "claude-code", vary: [range("autoBuffer", 4000, 40_000), range("reattachedTokens", 0, 36_000)] },
];

export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  const runner = new PoolRunner(process.cwd(), { threads: THREADS });
  const path = join(folder, "recording.jsonl");
  await writeManyItems(path, ITEMS);
  const answer = await runner.run("ingest", { path });
  const sessions = Array.from({ length: RECORDINGS }, () => new OpenedSession(path, answer, runner));
  const rows: string[][] = [];
  for (const query of CASES) rows.push(await measured(query, sessions, runner));
  await runner.close();
  rmSync(folder, { recursive: true });
  console.log(
    `${RECORDINGS} recordings of ${ITEMS} items, ${THREADS} threads, ${RUNS} runs after one; columns read before.\n`,
  );
  console.log(
    markdownTable(["", "points", "compactions at a point", "median, ms", "slowest, ms", "µs a replay"], rows),
  );
}

async function measured(query: SweepQuery, sessions: readonly OpenedSession[], runner: PoolRunner): Promise<string[]> {
  const estimated: SweepQuery = { ...query, estimator: "bytes-4" };
  const inputs: readonly SweepInput[] = sessions.map((session) => ({ id: "one", use: (work) => work(session) }));
  const run = async () => {
    let compactions = 0;
    for await (const { result } of sweepAll(inputs, estimated, runner)) {
      if (result instanceof Error) throw result;
      for (const row of result) compactions += Number(/"compactions":(\d+)/.exec(row)?.[1]);
    }
    return compactions;
  };
  const replays = sweepPoints(query.vary).length * sessions.length;
  const compactions = await run();
  const times: number[] = [];
  for (let done = 0; done < RUNS; done++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return [
    `${query.policy}, ${query.vary.map(({ key }) => key).join(" × ")}`,
    replays.toLocaleString("en"),
    (compactions / replays).toFixed(1),
    median(times).toFixed(0),
    quantile(times, 1).toFixed(0),
    ((median(times) * 1000) / replays).toFixed(0),
  ];
}
