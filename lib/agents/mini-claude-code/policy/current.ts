import type { Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import type { Release } from "./release";

/** The program: it compares once a turn what the provider counted, summed over the turn's steps, and nothing stays. */
export const current: Release = {
  compared: (view) => (view.turnStart ? lastTurnTokens(view) : 0),
  kept: () => [],
};

/** What the steps of the turn that just ended were sent, summed. */
function lastTurnTokens({ columns, request, sent }: ContextView): Tokens {
  const { firstItem } = columns.requests;
  const turnOf = (step: number) => columns.turn[firstItem[step] ?? -1];
  const turn = turnOf(request - 1);
  let sum = 0;
  for (let step = request - 1; step >= 0 && turnOf(step) === turn; step--) sum += sent[step] ?? 0;
  return sum;
}
