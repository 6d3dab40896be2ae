/**
 * Measures the time of a replay by policy, preset and number of items: the cost of one step of a slider, on columns with the policy's
 * measures, as in the page. The first replay of a session also computes data that later ones reuse, so it has a column of its own. The time
 * of pricing is measured separately after each replay, in the same process, because two replays differ by more than pricing takes.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@/lib/agents/registry";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Replay } from "@/lib/core/compaction/replay";
import { type RecordingFacts, recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import type { ScheduledRun } from "@/lib/queries/cost/hindsight-optimum";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { chosenOf, type PolicyChoice, preparePolicy } from "@/lib/queries/session/session-context";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 50_000, 100_000];
const QUICK_SIZE = 2000;
/** Number of runs of each case; slow ones stop early after `patienceMs`. */
const RUNS = 101;
const PATIENCE_MS = 1500;
const QUICK_PATIENCE_MS = 150;
let patienceMs = PATIENCE_MS;
const WARMING_MS = 300;
const FIRST_RUNS = 5;

/** Time limit of a replay, in µs per item: 1 ms at 20,000 items, or 5 ms if the policy `looksBack` before every request. */
const AIMS = { compares: 0.05, "looks back": 0.25 } as const;
/** Time limit of pricing, in µs per item: 0.3 ms at 20,000 items. */
const COST_AIM = 0.015;
/** A long recording does not fit into a processor's cache, so its limits are 6 and 30 ms at 100,000 items. */
const LONG_ITEMS = 100_000;
const LONG_AIMS = { compares: 0.06, "looks back": 0.3 } as const;

interface Case {
  readonly label: string;
  readonly choice: PolicyChoice;
}

/** Every preset of every policy with its default settings. */
const PRESETS: readonly Case[] = POLICIES.flatMap(({ id, presets }) =>
  presets.map((preset) => ({ label: `${id}@${preset}`, choice: { policy: id, preset } })),
);

/** Cases beyond the defaults: many compactions, and features that are off by default. */
const VARIANTS: readonly Case[] = [
  {
    label: "custom, 20 %, keeps 2,000 (many compactions)",
    choice: { policy: "custom", settings: { triggerShare: 0.2, keepRecentTokens: 2000 } },
  },
  {
    label: "custom, clears results older than 20 requests",
    choice: { policy: "custom", settings: { clearToolResultsAfter: 20 } },
  },
  ...["as-documented", "current"].map((preset) => ({
    label: `openclaw@${preset}, cache-ttl pruning`,
    choice: { policy: "openclaw", preset, settings: { pruning: "cache-ttl" } },
  })),
  { label: "opencode, prune", choice: { policy: "opencode", settings: { prune: true } } },
];

/** @param args numbers of items, by default all of `SIZES`; `--quick` takes a small one and fewer runs, within a minute */
export async function main(args: readonly string[]): Promise<void> {
  const isQuick = args.includes("--quick");
  const sizes = args.filter((arg) => arg !== "--quick").map(Number);
  if (isQuick) patienceMs = QUICK_PATIENCE_MS;
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  const rows: string[][] = [];
  for (const size of sizes.length > 0 ? sizes : isQuick ? [QUICK_SIZE] : SIZES) {
    const path = join(folder, `${size}.jsonl`);
    await writeManyItems(path, size);
    rows.push(...(await measured(path)));
  }
  rmSync(folder, { recursive: true });
  console.log(`Medians of up to ${RUNS} runs, code warm; estimator bytes ÷ 4, counting as it is.\n`);
  console.log(
    markdownTable(
      [
        "",
        "kind",
        "items",
        "requests",
        "compactions",
        "median, ms",
        "aim, ms",
        "95th percentile, ms",
        "µs an item",
        "first, ms",
        "cost adds, ms",
        "aim, ms",
        "hindsight optimum, ms",
      ],
      rows,
    ),
  );
}

async function measured(path: string): Promise<string[][]> {
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  const rows: string[][] = [];
  for (const one of [...PRESETS, ...VARIANTS]) {
    const row = await measuredCase(one, session);
    rows.push(row);
    console.log(`${one.label}, ${row[2]} items: ${row[5]} ms`);
  }
  await runner.close();
  return rows;
}

async function measuredCase({ label, choice }: Case, session: OpenedSession): Promise<string[]> {
  const facts = session.summary;
  const columns = await session.columnsFor([choice.policy]);
  const recording = recordingOf(facts, { columns, tokens: await session.tokens("bytes-4") });
  const prepared = preparePolicy(choice, recording);
  const run = () => replayPrepared(prepared, "estimate", recording);
  const costs = new ReplayCosts(recording, LISTED_PRICES);
  timesOf(() => costs.of(prepared, run()), Math.min(WARMING_MS, patienceMs));
  const times = timesOf(run, patienceMs);
  const kind = prepared.policy.looksBack?.(chosenOf(prepared)) === true ? "looks back" : "compares";
  const aims = columns.length < LONG_ITEMS ? AIMS : LONG_AIMS;
  const aim = (aims[kind] * columns.length) / 1000;
  return [
    label,
    kind,
    columns.length.toLocaleString("en"),
    pointCount(columns).toLocaleString("en"),
    String(run().compactions.length),
    median(times) > aim ? `**${median(times).toFixed(2)}**` : median(times).toFixed(2),
    aim.toFixed(1),
    quantile(times, 0.95).toFixed(2),
    ((median(times) / columns.length) * 1000).toFixed(3),
    median(firstTimes(choice, facts, columns)).toFixed(2),
    ...costCells(run, (replay) => costs.of(prepared, replay), columns),
    scheduleCell({ prepared, counting: "estimate", recording }),
  ];
}

/** Time of the hindsight optimum; absent if the policy has none. */
function scheduleCell(run: ScheduledRun): string {
  const find = () => new ReplayCosts(run.recording, LISTED_PRICES).hindsightOptimum(run);
  if (patienceMs < PATIENCE_MS || find() === undefined) return "";
  return median(timesOf(find, patienceMs)).toFixed(0);
}

/** Time of pricing a replay, and its limit. */
function costCells(run: () => Replay, price: (replay: Replay) => unknown, columns: SessionColumns): string[] {
  const added: number[] = [];
  const end = performance.now() + patienceMs;
  while (added.length < RUNS && (added.length < 3 || performance.now() < end)) {
    const replay = run();
    const started = performance.now();
    price(replay);
    added.push(performance.now() - started);
  }
  const aim = (COST_AIM * columns.length) / 1000;
  const text = median(added).toFixed(2);
  return [median(added) > aim ? `**${text}**` : text, aim.toFixed(1)];
}

/** The milliseconds of a session's first replay, measured several times, each on columns that nothing has read yet. */
function firstTimes(choice: PolicyChoice, facts: RecordingFacts, columns: SessionColumns): number[] {
  return Array.from({ length: patienceMs < PATIENCE_MS ? 1 : FIRST_RUNS }, () => {
    const fresh = structuredClone(columns);
    const recording = recordingOf(facts, countedBySize(fresh, "bytes-4"));
    const prepared = preparePolicy(choice, recording);
    const started = performance.now();
    replayPrepared(prepared, "estimate", recording);
    return performance.now() - started;
  });
}

/** The milliseconds of each run, until there are enough runs or the time is up. */
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
