/** Time of a replay, by policy and number of items: what one step of a slider costs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replayPrepared } from "@/lib/api/replay-result";
import { preparePolicy } from "@/lib/api/session-context";
import { summarise } from "@/lib/api/summarise";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { pointCount } from "@/lib/core/columns/points";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { readTranscript } from "@/lib/server/ingest/read-transcript";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 50_000, 100_000];
const RUNS = 101;
const WARMING = 20;

interface Case {
  readonly label: string;
  readonly policy: string;
  readonly settings: Readonly<Record<string, number>>;
}

const CASES: readonly Case[] = [
  { label: "custom, 80 %, keeps 20,000", policy: "custom", settings: {} },
  {
    label: "custom, 20 %, keeps 2,000 (many compactions)",
    policy: "custom",
    settings: { triggerShare: 0.2, keepRecentTokens: 2000 },
  },
  { label: "codex", policy: "codex", settings: {} },
  { label: "claude-code", policy: "claude-code", settings: {} },
  { label: "none", policy: "none", settings: {} },
];

export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  const rows: string[][] = [];
  for (const size of SIZES) {
    const path = join(folder, `${size}.jsonl`);
    await writeManyItems(path, size);
    rows.push(...measured(path));
  }
  rmSync(folder, { recursive: true });
  console.log(`Medians of ${RUNS} runs after ${WARMING}; estimator bytes ÷ 4, counting as it is.\n`);
  console.log(
    markdownTable(["", "items", "requests", "compactions", "median, ms", "95th percentile, ms", "µs an item"], rows),
  );
}

function measured(path: string): string[][] {
  const { transcript } = readTranscript(path);
  const columns = columnsFromTranscript(transcript);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const facts = summarise(transcript, "many-items.jsonl");
  return CASES.map(({ label, policy, settings }) => {
    const prepared = preparePolicy({ policy, settings }, facts, columns, tokens);
    const run = () => replayPrepared(prepared, "estimate", facts, columns, tokens);
    for (let warming = 0; warming < WARMING; warming++) run();
    const times = Array.from({ length: RUNS }, () => {
      const started = performance.now();
      run();
      return performance.now() - started;
    });
    return [
      label,
      columns.length.toLocaleString("en"),
      pointCount(columns).toLocaleString("en"),
      String(run().compactions.length),
      median(times).toFixed(2),
      quantile(times, 0.95).toFixed(2),
      ((median(times) / columns.length) * 1000).toFixed(3),
    ];
  });
}
