import type { CompareAnswer } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { differences } from "@/lib/core/metrics/difference";
import { figuresOf, recordedFigures } from "@/lib/core/metrics/figures";
import { type RanReplay, toComparedRun } from "./replay-result";

/** A replay that ran, with what it was counted by. */
export interface ComparedReplay {
  readonly ran: RanReplay;
  readonly estimator: string;
}

/** Several replays of one recording and how they differ, in the shape of the contract. */
export function toComparison(runs: readonly ComparedReplay[], columns: SessionColumns): CompareAnswer {
  const figures = runs.map(({ ran: { prepared, replay } }) =>
    (prepared.policy.id === "recorded" ? recordedFigures : figuresOf)(replay, prepared.window.tokens),
  );
  return {
    runs: runs.map(({ ran, estimator }) => toComparedRun(ran, estimator, columns)),
    difference: differences(figures).map((row) => ({ ...row, values: [...row.values] })),
  };
}
