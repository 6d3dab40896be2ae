import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import type { Release } from "./release";

/** The program's rules: once a turn it compares what the provider counted, summed over the turn's steps, and it keeps nothing. */
export const current: Release = {
  compared: (view) => (view.turnStart ? lastTurnTokens(view) : 0),
  kept: () => [],
};

/** The sum of what the steps of the turn that just ended were sent. */
function lastTurnTokens({ columns, request, sent }: ContextView): Tokens {
  const { firstItem } = columns.requests;
  const turnOf = (step: number) => columns.turn[firstItem[step] ?? -1];
  const turn = turnOf(request - 1);
  let sum = 0;
  for (let step = request - 1; step >= 0 && turnOf(step) === turn; step--) sum += sent[step] ?? 0;
  return sum;
}
