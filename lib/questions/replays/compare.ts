import type { CompareAnswer } from "@/lib/api/types";
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
}

/** Several replays of one recording and how they differ, in the form of the contract. */
export function toComparison(given: readonly ComparedReplay[]): CompareAnswer {
  const asked = given.map((one) => ({ ...one, input: figureInput(one.ran, one.costs, { regret: true }) }));
  const compared = asked.map(({ ran, input }) => comparedOf(input, ran.recording.columns));
  const rows = differences(compared);
  const runs = asked.map(({ ran, estimator, costs, input }) => toComparedRun(ran, estimator, costs, input));
  return {
    runs,
    difference: rows.map((row) => ({ ...row, values: [...row.values], apart: [...row.apart] })),
    remarks: toRemarks(remarksOn(compared, rows), runs),
  };
}
