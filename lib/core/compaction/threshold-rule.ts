import type { Tokens } from "../base/units";
import type { Policy, PolicyChosen, ThresholdRule } from "./policy/policy";
import type { Replay } from "./replay";
import type { SimulatedCompaction } from "./simulation/simulated-compaction";

/** The sides of the threshold on which a rule moves compactions. */
const SIDES: Readonly<Record<ThresholdRule, { readonly above: boolean; readonly below: boolean }>> = {
  betweenTurns: { above: true, below: false },
  beforePrompts: { above: true, below: false },
  turnSum: { above: true, below: true },
  hiddenReasoning: { above: false, below: true },
  afterPrefix: { above: false, below: true },
};

type Simulated = Pick<Replay, "context" | "compactions">;

/** The rule of a policy that explains why the simulated context passes its threshold, or is compacted below it; `undefined` if neither happens. */
export function thresholdRuleOf(policy: Policy, chosen: PolicyChosen, replay: Simulated): ThresholdRule | undefined {
  const [rule, threshold] = [policy.thresholdRule?.(chosen), policy.threshold?.(chosen)];
  if (rule === undefined || threshold === undefined) return undefined;
  const { above, below } = SIDES[rule];
  const { context, compactions } = replay;
  const isBelow = below && compactions.some((one) => isEarly(one, threshold));
  if (isBelow) return rule;
  const acted = new Set(compactions.map(({ request }) => request));
  const stays = (tokens: Tokens, request: number) =>
    tokens > threshold && (context[request - 1] ?? 0) > threshold && !acted.has(request);
  return above && context.some(stays) ? rule : undefined;
}

/** The rule that explains the size before one compaction; `undefined` if the context had just reached the threshold. */
export function thresholdRuleAt(
  compaction: SimulatedCompaction,
  policy: Policy,
  chosen: PolicyChosen,
  { context }: Pick<Replay, "context">,
): ThresholdRule | undefined {
  const [rule, threshold] = [policy.thresholdRule?.(chosen), policy.threshold?.(chosen)];
  if (rule === undefined || threshold === undefined || compaction.trigger !== "threshold") return undefined;
  const { above, below } = SIDES[rule];
  const { request } = compaction;
  const isLate = [request - 1, request - 2].every((at) => (context[at] ?? 0) > threshold);
  return (below && isEarly(compaction, threshold)) || (above && isLate) ? rule : undefined;
}

function isEarly({ trigger, tokensBefore }: SimulatedCompaction, threshold: Tokens): boolean {
  return trigger === "threshold" && tokensBefore < threshold;
}
