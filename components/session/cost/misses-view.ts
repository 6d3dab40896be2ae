import type { RequestIndex, Tokens } from "@/lib/core/base/units";
import {
  type CacheMiss,
  type CacheMisses,
  MISS_CAUSES,
  type MissCause,
  missesByCause,
} from "@/lib/core/cost/cache-misses";
import type { MicroDollars } from "@/lib/core/cost/money";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import { costOfRequest, inputOf, totalOf } from "@/lib/core/cost/recorded-cost";

/** The cache misses of a session without its first request, the most expensive first; those without a price are ordered by tokens. */
export function listedMisses({ misses }: CacheMisses, cause: MissCause | null): readonly CacheMiss[] {
  return misses
    .filter((one) => one.cause !== "first" && (cause === null || one.cause === cause))
    .toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens || a.request - b.request);
}

/** The causes of cache misses, without the first request of a session. */
type TrueCause = Exclude<MissCause, "first">;

interface CauseLine {
  readonly cause: TrueCause;
  readonly count: number;
  readonly tokens: Tokens;
  readonly cost: MicroDollars | undefined;
}

/** Sums by cause, the most expensive first; causes without a miss are left out. */
export function causeLines(misses: CacheMisses): readonly CauseLine[] {
  const sums = missesByCause(misses);
  return MISS_CAUSES.flatMap((cause) => {
    const sum = sums.get(cause);
    return cause === "first" || sum === undefined ? [] : [{ cause, ...sum }];
  }).toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens);
}

/** A step of the waterfall, in micro-dollars. It starts at the end of the step before it. */
export interface WaterfallStep {
  readonly id: "warm" | TrueCause | "output" | "total";
  readonly start: MicroDollars;
  readonly amount: MicroDollars;
}

/**
 * The steps of the waterfall. It starts with the input cost in the ideal case: every request reads everything that the previous one left in the
 * cache. The steps add the cost of each cause of misses, then the output; it ends with the session's cost. Calls for summaries are missing, since no
 * recording has them.
 */
export function waterfall(
  misses: CacheMisses,
  input: MicroDollars,
  output: MicroDollars,
): readonly WaterfallStep[] | undefined {
  const causes = causeLines(misses).flatMap(({ cause, cost }) =>
    cost === undefined ? [] : [{ id: cause, amount: cost }],
  );
  if (misses.misses.some(({ cost }) => cost === undefined)) return undefined;
  const costOfMisses = causes.reduce((sum, { amount }) => sum + amount, 0);
  let start = 0;
  const steps = [
    { id: "warm" as const, amount: input - costOfMisses },
    ...causes,
    { id: "output" as const, amount: output },
  ];
  const placed = steps.map((step) => {
    const at = start;
    start += step.amount;
    return { ...step, start: at };
  });
  return [...placed, { id: "total", start: 0, amount: start }];
}

/** A request's part in a step. */
export interface StepRow {
  readonly request: RequestIndex;
  readonly tokens: Tokens;
  readonly cost: MicroDollars;
}

/** The requests in the sum of a waterfall step, the most expensive first. Requests that add nothing are left out. */
export function stepRows(
  step: WaterfallStep["id"],
  requests: readonly PricedRequest[],
  { misses }: CacheMisses,
): readonly StepRow[] {
  const counted = misses.filter(({ cause }) => cause !== "first");
  const rows = counted.some(({ cause }) => cause === step)
    ? counted.flatMap(({ request, cause, tokens, cost }) =>
        cause === step && cost !== undefined ? [{ request, tokens, cost }] : [],
      )
    : requestRows(step, requests, new Map(counted.map(({ request, cost }) => [request, cost ?? 0])));
  return rows.filter(({ cost }) => cost !== 0).toSorted((a, b) => b.cost - a.cost || a.request - b.request);
}

function requestRows(
  step: WaterfallStep["id"],
  requests: readonly PricedRequest[],
  extra: ReadonlyMap<RequestIndex, MicroDollars>,
): readonly StepRow[] {
  return requests.flatMap((one) => {
    const cost = costOfRequest(one);
    if (cost === undefined) return [];
    const { request, sent, output } = one;
    if (step === "output") return [{ request, tokens: output, cost: cost.output }];
    if (step === "total") return [{ request, tokens: sent + output, cost: totalOf(cost) }];
    return [{ request, tokens: sent, cost: inputOf(cost) - (extra.get(request) ?? 0) }];
  });
}
