/**
 * Time of a replay, by policy and number of items: what one step of a slider costs. The first replay of a session also looks up
 * once what every later one uses again; it has a column of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replayPrepared } from "@/lib/api/replay-result";
import { type PolicyChoice, preparePolicy, type SessionFacts } from "@/lib/api/session-context";
import { summarise } from "@/lib/api/summarise";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { pointCount } from "@/lib/core/columns/points";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { readTranscript } from "@/lib/server/ingest/read-transcript";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 50_000, 100_000];
/** A case runs this often, a slow one for this long at least. */
const RUNS = 101;
const PATIENCE_MS = 1500;
const WARMING_MS = 300;
const FIRST_RUNS = 5;

interface Case {
  readonly label: string;
  readonly policy: string;
  readonly settings: Readonly<Record<string, number | string | boolean>>;
}

const CASES: readonly Case[] = [
  { label: "custom, 80 %, keeps 20,000", policy: "custom", settings: {} },
  {
    label: "custom, 20 %, keeps 2,000 (many compactions)",
    policy: "custom",
    settings: { triggerShare: 0.2, keepRecentTokens: 2000 },
  },
  ...[
    "codex",
    "claude-code",
    "qwen-code",
    "openclaw",
    "clawdcode",
    "mini-claude-code",
    "pi",
    "gemini-cli",
    "opencode",
    "none",
  ].map((policy) => ({ label: policy, policy, settings: {} })),
  { label: "custom, clears results older than 20 requests", policy: "custom", settings: { clearToolResultsAfter: 20 } },
  { label: "openclaw, cache-ttl pruning", policy: "openclaw", settings: { pruning: "cache-ttl" } },
  { label: "opencode, prune", policy: "opencode", settings: { prune: true } },
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
  console.log(`Medians of up to ${RUNS} runs, code warm; estimator bytes ÷ 4, counting as it is.\n`);
  console.log(
    markdownTable(
      ["", "items", "requests", "compactions", "median, ms", "95th percentile, ms", "µs an item", "first, ms"],
      rows,
    ),
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
    timesOf(run, WARMING_MS);
    const times = timesOf(run, PATIENCE_MS);
    return [
      label,
      columns.length.toLocaleString("en"),
      pointCount(columns).toLocaleString("en"),
      String(run().compactions.length),
      median(times).toFixed(2),
      quantile(times, 0.95).toFixed(2),
      ((median(times) / columns.length) * 1000).toFixed(3),
      median(firstTimes({ policy, settings }, facts, columns)).toFixed(2),
    ];
  });
}

/** Milliseconds of the first replay of a session, several times: each on columns that nothing has looked at. */
function firstTimes(choice: PolicyChoice, facts: SessionFacts, columns: SessionColumns): number[] {
  return Array.from({ length: FIRST_RUNS }, () => {
    const fresh = structuredClone(columns);
    const tokens = sizeTokenColumn(fresh, "bytes-4");
    const prepared = preparePolicy(choice, facts, fresh, tokens);
    const started = performance.now();
    replayPrepared(prepared, "estimate", facts, fresh, tokens);
    return performance.now() - started;
  });
}

/** Milliseconds of each run, until there are enough or the time is up. */
function timesOf(run: () => unknown, patience: number): number[] {
  const times: number[] = [];
  const end = performance.now() + patience;
  while (times.length < RUNS && (times.length < 3 || performance.now() < end)) {
    const started = performance.now();
    run();
    times.push(performance.now() - started);
  }
  return times;
}
