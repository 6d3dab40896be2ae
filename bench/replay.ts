/**
 * Time of a replay, by policy, preset and number of items: what one step of a slider costs, on columns with the policy's measures,
 * as the page has them. The first replay of a session also looks up once what every later one uses again; it has a column of its own.
 * What pricing a replay adds is measured behind each of them, in the same process: the difference of two replays varies by more than it.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@/lib/agents/policies";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Replay } from "@/lib/core/compaction/replay";
import { type RecordingFacts, recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { replayPrepared } from "@/lib/questions/replay-result";
import { chosenOf, type PolicyChoice, preparePolicy } from "@/lib/questions/session-context";
import { ReplayCosts } from "@/lib/questions/simulated-cost";
import { OpenedSession } from "@/lib/server/opened-session";
import { LocalRunner } from "@/lib/server/tasks";
import { writeManyItems } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 50_000, 100_000];
/** A case runs this often, a slow one for this long at least. */
const RUNS = 101;
const PATIENCE_MS = 1500;
const WARMING_MS = 300;
const FIRST_RUNS = 5;

/** What a replay may take, in µs an item: at 20,000 items 1 ms, and 5 ms where a policy `looksBack` before every request. */
const AIMS = { compares: 0.05, "looks back": 0.25 } as const;
/** What the cost may add, in µs an item: at 20,000 items 0.3 ms. */
const COST_AIM = 0.015;
/** A long recording does not fit a processor's cache: 6 and 30 ms at 100,000 items. */
const LONG_ITEMS = 100_000;
const LONG_AIMS = { compares: 0.06, "looks back": 0.3 } as const;

interface Case {
  readonly label: string;
  readonly choice: PolicyChoice;
}

/** Every preset of every policy as it is set by default. */
const PRESETS: readonly Case[] = POLICIES.flatMap(({ id, presets }) =>
  presets.map((preset) => ({ label: `${id}@${preset}`, choice: { policy: id, preset } })),
);

/** What defaults leave out: many compactions, and what is off by default. */
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

/** @param sizes numbers of items; without any all of `SIZES` */
export async function main(sizes: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-bench-"));
  const rows: string[][] = [];
  for (const size of sizes.length > 0 ? sizes.map(Number) : SIZES) {
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
      ],
      rows,
    ),
  );
}

async function measured(path: string): Promise<string[][]> {
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  const rows: string[][] = [];
  for (const one of [...PRESETS, ...VARIANTS]) rows.push(await measuredCase(one, session));
  await runner.close();
  return rows;
}

async function measuredCase({ label, choice }: Case, session: OpenedSession): Promise<string[]> {
  const facts = session.summary;
  const columns = await session.columnsFor([choice.policy]);
  const recording = recordingOf(facts, { columns, tokens: await session.tokens("bytes-4") });
  const prepared = preparePolicy(choice, recording);
  const run = () => replayPrepared(prepared, "estimate", recording);
  const costs = new ReplayCosts(facts.agent, columns, LISTED_PRICES);
  timesOf(() => costs.of(prepared, run()), WARMING_MS);
  const times = timesOf(run, PATIENCE_MS);
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
  ];
}

/** What pricing adds to a replay, against what it may add. */
function costCells(run: () => Replay, price: (replay: Replay) => unknown, columns: SessionColumns): string[] {
  const added: number[] = [];
  const end = performance.now() + PATIENCE_MS;
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

/** Milliseconds of the first replay of a session, several times: each on columns that nothing has looked at. */
function firstTimes(choice: PolicyChoice, facts: RecordingFacts, columns: SessionColumns): number[] {
  return Array.from({ length: FIRST_RUNS }, () => {
    const fresh = structuredClone(columns);
    const recording = recordingOf(facts, countedBySize(fresh, "bytes-4"));
    const prepared = preparePolicy(choice, recording);
    const started = performance.now();
    replayPrepared(prepared, "estimate", recording);
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
