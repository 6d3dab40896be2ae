/** Measures the queries of the Contributors tab when the cursor moves: each grouping, and repeated content. */

import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { contributorsAt } from "@/lib/core/analysis/contributors";
import { type MeasuredContext, measuredContext } from "@/lib/core/analysis/measured-context";
import { repeatedContent } from "@/lib/core/analysis/repeated-content";
import { recordedStays, simulatedStays } from "@/lib/core/analysis/stays";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { recordedMembership } from "@/lib/core/columns/membership";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedSeries } from "@/lib/core/context/recorded";
import { recordingOf } from "@/lib/core/context/recording";
import { summarise } from "@/lib/queries/boundaries/summarise";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { preparePolicy } from "@/lib/queries/session/session-context";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { rowsOfSizes } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 100_000];
const RUNS = 31;
const WARMING = 5;

export async function main(): Promise<void> {
  const rows = await rowsOfSizes(SIZES, measured);
  console.log(`At the last request. Medians of ${RUNS} runs after ${WARMING}; estimator bytes ÷ 4.\n`);
  console.log(markdownTable(["", "items", "rows", "median, ms", "95th percentile, ms"], rows));
}

function measured(path: string): string[][] {
  const { transcript } = readTranscript(path);
  const columns = columnsFromTranscript(transcript);
  const facts = summarise(transcript, "many-items.jsonl");
  const recording = recordingOf(facts, countedBySize(columns, "bytes-4"));
  const { tokens } = recording;
  const prepared = preparePolicy({ policy: "custom", settings: { triggerShare: 0.4 } }, recording);
  const run = replayPrepared(prepared, "estimate", recording);
  const recorded = () =>
    measuredContext(columns, recordedStays(recording, recordedMembership(columns)), recordedSeries(recording));
  const simulated = () => measuredContext(columns, simulatedStays(columns, run), run);
  // Every third item is a copy: more repetition than any session has.
  const content = tokens.map((_, row) => (row % 3 === 0 ? 1 + (row % 999) : row + 1));
  const last = pointCount(columns) - 1;
  const line = (label: string, ask: () => number) => [label, columns.length.toLocaleString("en"), ...timed(ask)];
  const of = (context: MeasuredContext, label: string) => [
    ...GROUPINGS.map((by) => line(`${label}, by ${by}`, () => contributorsAt(context, last, by).rows.length)),
    line(`${label}, repeated content`, () => repeatedContent(context, content, last).length),
  ];
  return [
    line("recorded, once", () => recorded().series.context.length),
    line("simulated, once a replay", () => simulated().series.context.length),
    ...of(recorded(), "recorded"),
    ...of(simulated(), "simulated"),
  ];
}

function timed(ask: () => number): string[] {
  for (let warming = 0; warming < WARMING; warming++) ask();
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    ask();
    return performance.now() - started;
  });
  return [ask().toLocaleString("en"), median(times).toFixed(2), quantile(times, 0.95).toFixed(2)];
}
