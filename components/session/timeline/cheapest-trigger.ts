import { triggerHandle } from "@/components/settings/trigger-setting";
import type { Metrics } from "@/lib/core/metrics/values";
import { sweepRange } from "@/lib/queries/replays/sweep";
import { chosenOf } from "@/lib/queries/session/session-context";
import type { ReplayState } from "../shared/state/replay";

/** Shares of the window that a quick sweep tries as the trigger. */
const SHARES = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * Sweeps some triggers, one replay at a time so that the page stays responsive, and returns the setting of the cheapest one; by tokens sent if a request
 * has no price. `undefined` if none of them is cheaper than the replay in force.
 * @param now metrics of the replay in force
 */
export async function cheapestTrigger(
  { choice, over, costs }: Pick<ReplayState, "choice" | "over" | "costs">,
  now: Pick<Metrics, "costUsd" | "tokensSent">,
): Promise<{ readonly key: string; readonly value: number } | undefined> {
  const { policy, preset, specs, settings, counting, window } = choice;
  const handle = triggerHandle(policy, specs, chosenOf(choice));
  if (handle === undefined) return undefined;
  const { key, step } = handle.spec;
  const spent = (metrics: typeof now) => (now.costUsd === null ? metrics.tokensSent : metrics.costUsd) ?? Infinity;
  let best: { readonly value: number; readonly spent: number } | undefined;
  for (const value of new Set(SHARES.map((share) => handle.valueFor(share * window.tokens)))) {
    const vary = [{ key, from: value, to: value, step }];
    const fixed = Object.fromEntries(Object.entries(settings).filter(([one]) => one !== key));
    const plan = { policy: policy.id, preset, window: window.tokens, counting, settings: fixed, vary };
    const [point] = sweepRange(plan, over, costs, { from: 0, to: 1 });
    if (point !== undefined && spent(point.metrics) < (best?.spent ?? spent(now)))
      best = { value, spent: spent(point.metrics) };
    await new Promise((resolve) => setTimeout(resolve));
  }
  return best === undefined ? undefined : { key, value: best.value };
}
