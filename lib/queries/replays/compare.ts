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
  const asked = given.map((one) => ({ ...one, input: metricInput(one.ran, one.costs, { regret: true }) }));
  const compared = asked.map(({ ran, input, schedule }) =>
    comparedOf(input, ran.recording.columns, schedule === "best"),
  );
  const rows = differences(compared);
  const runs = asked.map(
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
      return "no difference: every figure that is compared is the same.";
    case "usageApart":
      return `${names}: counted by the recorded usage, the others by an estimate that is not brought to it. Their figures are not set against each other.`;
    case "estimateApart":
      return `${names}: counted by an estimate that is not brought to the recorded usage, by which the others are counted. Their figures are not set against each other.`;
    case "rewrittenApart":
      return `${names}: tokensRewritten is what the recording says was not read from a cache behind its changes, of the others what comparing their contexts gives. The two are not set against each other.`;
    case "doubtfulCalibration":
      return `${names}: ${[...new Set(runs.flatMap(({ calibration }) => doubtSentence(calibration) ?? []))].join(" ")}`;
    case "hindsight":
      return `${names} with the best timing in hindsight: compacted before the requests where the whole session would have cost least by these prices, with what its compactions leave by these settings and never above the window where that can be avoided. That takes knowing what comes next: it is what was possible, no policy that could be run, and so never marked as the best.`;
    default:
      return id satisfies never;
  }
}
