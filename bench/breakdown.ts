/** Measures the time of the breakdown at one request, by view: the cost of moving the cursor by one. */
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import { profileOverhead } from "@/lib/core/context/profile";
import { recordedSeries } from "@/lib/core/context/recorded";
import { recordingOf } from "@/lib/core/context/recording";
import { summarise } from "@/lib/queries/boundaries/summarise";
import { breakdownViews, viewedBreakdown } from "@/lib/queries/contexts/breakdown-view";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { preparePolicy } from "@/lib/queries/session/session-context";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { rowsOfSizes } from "./support/many-items";
import { markdownTable, median, quantile } from "./support/table";

const SIZES = [20_000, 100_000];
const AGENTS = ["claude-code", "qwen-code", "openclaw", "opencode"];
/** Number of measured requests, spread over the session. */
const RUNS = 2000;
const tools = Array.from({ length: 40 }, (_, index) => ({ name: `tool-${index}`, schema: 250 }));
const given = profileOverhead({ systemPrompt: 3000, tools }, () => 0);

export async function main(): Promise<void> {
  const rows = await rowsOfSizes(SIZES, measured);
  console.log(`${RUNS} requests of the session, with a context profile of 41 entries; estimator bytes ÷ 4.\n`);
  console.log(markdownTable(["", "items", "requests", "first, ms", "median, ms", "99th percentile, ms"], rows));
}

function measured(path: string): string[][] {
  const { transcript } = readTranscript(path);
  const columns = columnsFromTranscript(transcript);
  const facts = summarise(transcript, "many-items.jsonl");
  const recording = recordingOf(facts, countedBySize(columns, "bytes-4"), given);
  const { tokens } = recording;
  const prepared = preparePolicy({ policy: "custom" }, recording);
  const contexts = [
    { label: "recorded", simulated: false, series: splitOverhead(recordedSeries(recording), given) },
    {
      label: "simulated",
      simulated: true,
      series: splitOverhead(replayPrepared(prepared, "estimate", recording), given),
    },
  ];
  const views = new Map(
    AGENTS.flatMap((agent) => breakdownViews({ ...facts, agent }).map((view) => [view.name, view])),
  );
  const points = pointCount(columns);
  return [...views.values()].flatMap((view) =>
    contexts.map(({ label, simulated, series }) => {
      const ask = (run: number) => {
        const request = Math.floor((run / RUNS) * points);
        const started = performance.now();
        viewedBreakdown(view, {
          columns,
          tokens,
          series,
          simulated,
          request,
          window: 200_000,
          trigger: 160_000,
          overhead: given,
        });
        return performance.now() - started;
      };
      const first = ask(0);
      const times = Array.from({ length: RUNS }, (_, run) => ask(run));
      return [
        `${view.name}, ${label}`,
        columns.length.toLocaleString("en"),
        points.toLocaleString("en"),
        first.toFixed(2),
        median(times).toFixed(4),
        quantile(times, 0.99).toFixed(4),
      ];
    }),
  );
}
