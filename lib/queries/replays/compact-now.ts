import { boundariesOf } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { scheduledPolicy } from "@/lib/core/compaction/policies/scheduled";
import { replay } from "@/lib/core/compaction/replay";
import { comparableBefore } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { Recording } from "@/lib/core/context/recording";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import type { ReplayRequest } from "@/lib/queries/contract/types";
import type { ReplayCosts } from "../cost/simulated-cost";
import { preparePolicy } from "../session/session-context";
import { countingInForce } from "./replay-result";

/** The effect of a compaction before the last request, and its cost in dollars. */
export interface CompactedNow {
  readonly policy: string;
  readonly preset: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly droppedItems: number;
  /** The summary call; `null` if a request has no price. */
  readonly callUsd: number | null;
  /** Sending the kept items uncached, beyond the cost of reading them from the cache; `null` if a request has no price. */
  readonly rewritingUsd: number | null;
}

/**
 * Compacts by a policy before the last request, after compacting wherever the session did. `undefined` if the policy cannot compact on demand, or has
 * nothing to compact there. Throws `ChoiceError` and `SettingError`.
 */
export function compactNow(request: ReplayRequest, recording: Recording, costs: ReplayCosts): CompactedNow | undefined {
  const prepared = preparePolicy(request, recording);
  const { policy, preset, settings, window } = prepared;
  const last = pointCount(recording.columns) - 1;
  const { boundaries } = recording.columns;
  const compacted = boundariesOf(recording.columns, "compaction").map((row) => boundaries.request[row] ?? last);
  const options = {
    preset,
    window: window.tokens,
    counting: countingInForce(request, recording),
    own: policy.id === recording.facts.agent,
  };
  const run = replay(recording, scheduledPolicy(policy, new Set([...compacted, last])), settings, options);
  const found = run.compactions.at(-1);
  if (found?.request !== last) return undefined;
  const cost = costs.seriesOf(prepared, run)?.boundaries.at(-1);
  return {
    policy: policy.id,
    preset,
    droppedItems: found.droppedItems,
    tokensBefore: comparableBefore(found),
    tokensAfter: found.tokensAfter,
    callUsd: dollars(cost?.call),
    rewritingUsd: dollars(cost?.rewriting),
  };
}

function dollars(amount: MicroDollars | undefined): number | null {
  return amount === undefined ? null : dollarsOf(amount);
}
