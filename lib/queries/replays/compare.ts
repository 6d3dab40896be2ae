import type { Schedule } from "@/lib/core/compaction/policies/scheduled";
import { comparedOf } from "@/lib/core/metrics/compared";
import { differences } from "@/lib/core/metrics/difference";
import { type Remark, remarksOn } from "@/lib/core/metrics/remarks";
import type { CompareAnswer, ComparedRun, ComparisonRemark } from "@/lib/queries/contract/types";
import type { ReplayCosts } from "../cost/simulated-cost";
import { doubtSentence } from "../session/calibration";
import { metricInput, type RanReplay, toComparedRun } from "./replay-result";

/** A finished replay and its estimator. */
export interface ComparedReplay {
  readonly ran: RanReplay;
  readonly estimator: string;
  readonly costs: ReplayCosts;
  /** Default: by its own rule. */
  readonly schedule?: Schedule | undefined;
}

/** Several replays of one recording and their differences, in the contract's format. */
export function toComparison(given: readonly ComparedReplay[]): CompareAnswer {
  const inputs = given.map((one) => ({ ...one, input: metricInput(one.ran, one.costs, { regret: true }) }));
  const compared = inputs.map(({ ran, input, schedule }) =>
    comparedOf(input, ran.recording.columns, schedule === "best"),
  );
  const rows = differences(compared);
  const runs = inputs.map(
    ({ ran, estimator, costs, input, schedule = "own" }): ComparedRun => ({
      ...toComparedRun(ran, estimator, costs, input),
      schedule,
    }),
  );
  return {
    runs,
    difference: rows.map((row) => ({ ...row, values: [...row.values], apart: [...row.apart] })),
    remarks: toRemarks(remarksOn(compared, rows), runs),
  };
}

/** Remarks in the contract's format, each with its sentence. */
function toRemarks(remarks: readonly Remark[], runs: readonly ComparedRun[]): ComparisonRemark[] {
  return remarks.map(({ id, runs: about }) => ({
    id,
    runs: [...about],
    text: sentence(
      id,
      about.flatMap((run) => runs[run] ?? []),
    ),
  }));
}

function sentence(id: Remark["id"], runs: readonly ComparedRun[]): string {
  const names = [...new Set(runs.map(({ policy }) => policy))].join(", ");
  switch (id) {
    case "noDifference":
      return "no difference: every compared metric is the same.";
    case "usageApart":
      return `${names}: counted by recorded usage; the others by an estimate that is not calibrated to it. Their metrics are not compared.`;
    case "estimateApart":
      return `${names}: counted by an estimate that is not calibrated to recorded usage; the others by recorded usage. Their metrics are not compared.`;
    case "rewrittenApart":
      return `${names}: re-sent uncached tokens come from recorded cache reads; for the others, from comparing contexts. The two are not compared.`;
    case "doubtfulCalibration":
      return `${names}: ${[...new Set(runs.flatMap(({ calibration }) => doubtSentence(calibration) ?? []))].join(" ")}`;
    case "hindsight":
      return `${names}: best timing in hindsight. It compacts before the requests that make the whole session cheapest at these prices. The policy and its settings decide what is kept; the window is respected where possible. No real policy could know this timing, so it is never marked as best.`;
    default:
      return id satisfies never;
  }
}
