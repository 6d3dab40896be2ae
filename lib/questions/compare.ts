import type { CompareAnswer } from "@/lib/api/types";
import { comparedOf } from "@/lib/core/figures/compared";
import { differences } from "@/lib/core/figures/difference";
import { remarksOn } from "@/lib/core/figures/remarks";
import { toRemarks } from "./comparison-remarks";
import { type RanReplay, toComparedRun } from "./replay-result";
import type { ReplayCosts } from "./simulated-cost";

/** A replay that ran, and the estimator that it was counted by. */
export interface ComparedReplay {
  readonly ran: RanReplay;
  readonly estimator: string;
  readonly costs: ReplayCosts;
}

/** Several replays of one recording and how they differ, in the form of the contract. */
export function toComparison(given: readonly ComparedReplay[]): CompareAnswer {
  const compared = given.map(({ ran: { prepared, replay, recording }, costs }) => {
    const isRecording = prepared.policy.id === "recorded";
    const cost = costs.of(prepared, replay);
    return comparedOf(replay, recording.columns, prepared.window.tokens, isRecording, cost);
  });
  const rows = differences(compared);
  const runs = given.map(({ ran, estimator, costs }) => toComparedRun(ran, estimator, costs));
  return {
    runs,
    difference: rows.map((row) => ({ ...row, values: [...row.values], apart: [...row.apart] })),
    remarks: toRemarks(remarksOn(compared, rows), runs),
  };
}
