import type { CompareAnswer } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
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
export function toComparison(given: readonly ComparedReplay[], columns: SessionColumns): CompareAnswer {
  const compared = given.map(({ ran: { prepared, replay }, costs }) =>
    comparedOf(replay, columns, prepared.window.tokens, prepared.policy.id === "recorded", costs.of(prepared, replay)),
  );
  const rows = differences(compared);
  const runs = given.map(({ ran, estimator, costs }) => toComparedRun(ran, estimator, columns, costs));
  return {
    runs,
    difference: rows.map((row) => ({ ...row, values: [...row.values], apart: [...row.apart] })),
    remarks: toRemarks(remarksOn(compared, rows), runs),
  };
}
