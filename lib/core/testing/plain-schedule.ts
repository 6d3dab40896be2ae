import { totalOf } from "../cost/recorded-cost";
import type { Schedulable } from "../cost/simulated/hindsight-optimum";
import { Stretch } from "../cost/simulated/open-stretches";
import { RequestCosts } from "../cost/simulated/request-costs";
import type { CostBasis } from "../cost/simulated/simulated-cost";

/** Cost of a request above the window: more than all real costs. */
const ABOVE_WINDOW = 1e12;

/** The end of a stretch without a compaction, and the cost before it. */
interface Way {
  readonly from: number;
  readonly cost: number;
}

/**
 * Cost of the hindsight optimum, by trying every pair of requests with no compaction between: the same sums as `hindsightOptimum`, with nothing skipped.
 * `undefined` if costs are unknown.
 */
export function plainLeastCost(
  basis: CostBasis,
  session: Schedulable,
  window: number,
  sharesPrefix: boolean,
): number | undefined {
  const costs = RequestCosts.of(basis.cache);
  if (costs === undefined || costs.length === 0) return undefined;
  const { sure, follows } = basis;
  const [first, grown] = [new Stretch(sure, session), new Stretch(sure, session.simulated)];
  const { left, estimated, context } = session;
  const at = (column: ArrayLike<number>, index: number) => column[sure.point(index)] ?? 0;
  const penalty = (sent: number) => (sent > window ? ABOVE_WINDOW : 0);

  /** A compaction before a request, with the request. */
  const compaction = (index: number, from: number, offset: number, before: number) => {
    const tokens = at(left.tokens, index);
    const sentBefore = Math.max(0, ((from < 0 ? first : grown).before[index] ?? 0) + offset);
    const larger =
      from < 0
        ? (first.context[index] ?? 0) - (grown.context[index] ?? 0)
        : at(left.calledAgain, from) - at(left.callTokens, from);
    const call = at(left.callTokens, index) + larger;
    const output = at(left.summaryTokens, index);
    const shared = () => costs.callSharing(index, call, output, sentBefore);
    const summary = call <= 0 ? 0 : sharesPrefix ? shared() : costs.callAlone(index, call, output);
    return summary + costs.request(index, tokens, at(left.shared, index), before) + penalty(tokens);
  };

  const least = new Float64Array(costs.length).fill(Number.POSITIVE_INFINITY);
  let best = Number.POSITIVE_INFINITY;
  const walk = ({ from, cost }: Way): void => {
    const way = from < 0 ? first : grown;
    const offset = from < 0 ? 0 : at(left.tokens, from) - (grown.context[from] ?? 0);
    let all = cost;
    let before = from < 0 ? 0 : at(left.tokens, from);
    for (let index = from + 1; index < costs.length; index++) {
      if (at(left.tokens, index) >= 0)
        least[index] = Math.min(least[index] ?? 0, all + compaction(index, from, offset, before));
      const sent = Math.max(0, (way.context[index] ?? 0) + offset);
      const isRecorded = from < 0 && follows && at(estimated, index) === 0;
      const known = isRecorded ? sure.known(index, at(context, index)) : undefined;
      all += known ? totalOf(known) : costs.request(index, sent, before - (way.lost[index] ?? 0), before);
      all += penalty(sent);
      before = sent;
    }
    best = Math.min(best, all);
  };
  walk({ from: -1, cost: 0 });
  least.forEach((cost, from) => {
    if (cost < Number.POSITIVE_INFINITY) walk({ from, cost });
  });
  return best;
}
