import type { CompareAnswer, ComparedRun } from "@/lib/api/types";
import type { Schedule } from "@/lib/core/compaction/policies/scheduled";
import { comparedOf } from "@/lib/core/figures/compared";
import { differences } from "@/lib/core/figures/difference";
import { remarksOn } from "@/lib/core/figures/remarks";
import type { ReplayCosts } from "../cost/simulated-cost";
import { toRemarks } from "./comparison-remarks";
import { figureInput, type RanReplay, toComparedRun } from "./replay-result";

/** A replay that ran, and the estimator that it was counted by. */
export interface ComparedReplay {
  readonly ran: RanReplay;
  readonly estimator: string;
  readonly costs: ReplayCosts;
  /** By its own rule where absent. */
  readonly schedule?: Schedule | undefined;
}

/** Several replays of one recording and how they differ, in the form of the contract. */
export function toComparison(given: readonly ComparedReplay[]): CompareAnswer {
  const asked = given.map((one) => ({ ...one, input: figureInput(one.ran, one.costs, { regret: true }) }));
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
