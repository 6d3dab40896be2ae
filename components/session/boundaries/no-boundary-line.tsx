import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { reachedContexts } from "@/lib/core/compaction/replay-totals";
import { withoutRefusals } from "@/lib/core/compaction/simulation/simulated-compaction";
import { shownWindow } from "../shared/state/replay-choice";
import { useReplay, useSession } from "../shared/state/stores";

/** The reason why the current policy has no boundary in this session, and the distance from the peak to its trigger; `undefined` if it has one. */
export function useNoBoundaryWords(): string | undefined {
  const t = useTranslations("session.boundary.none");
  const format = useFormat();
  const words = usePolicyWords();
  const { simulated, choice, threshold } = useReplay("simulated", "choice", "threshold");
  const { summary } = useSession("summary");
  const { policy } = choice;
  const isNone = policy.id !== "recorded" && withoutRefusals(simulated.compactions).length === 0;
  const why = useMemo(
    () => (isNone ? noBoundary(reachedContexts(simulated), threshold, policy.id === "none") : undefined),
    [isNone, simulated, threshold, policy],
  );
  if (why === undefined) return undefined;
  const count = simulated.compactions.length;
  if (count > 0) return t("refused", { policy: words.policy(policy), count });
  const { reason, peak, request, distance = 0 } = why;
  return t(reason, {
    policy: words.policy(policy),
    peak: format.count(peak),
    request,
    share: format.percent(peak / shownWindow(choice, summary), 1),
    trigger: format.count(threshold ?? 0),
    distance: format.count(distance),
  });
}

/** The reason why the current policy has no boundary, below the list of recorded boundaries. */
export function NoBoundaryLine() {
  const reason = useNoBoundaryWords();
  if (reason === undefined) return null;
  return (
    <p className="border-b border-line px-4 py-3 text-sm text-t2" data-testid="no-boundary">
      {reason}
    </p>
  );
}

/** Reason for a session without boundaries of a policy. */
interface NoBoundary {
  /**
   * `never`: the policy compacts nothing. `below`: the context stays below the trigger. `counted`: the whole context reaches the
   * trigger, but the policy counts only a part of it or checks at other times. `unknown`: the policy has no trigger size.
   */
  readonly reason: "never" | "below" | "counted" | "unknown";
  /** Largest context, in tokens, and the first request that sends it. */
  readonly peak: number;
  readonly request: number;
  /** Tokens between the peak and the trigger; absent if the policy has no trigger size. */
  readonly distance?: number;
}

/**
 * The reason why a replay has no boundary.
 * @param context tokens of every request
 * @param threshold size at which the policy fires
 * @param never true if the policy never fires
 */
export function noBoundary(context: ArrayLike<number>, threshold: number | undefined, never: boolean): NoBoundary {
  let request = 0;
  for (let at = 1; at < context.length; at++) if ((context[at] ?? 0) > (context[request] ?? 0)) request = at;
  const peak = context[request] ?? 0;
  if (never) return { reason: "never", peak, request };
  if (threshold === undefined) return { reason: "unknown", peak, request };
  const distance = threshold - peak;
  return { reason: distance > 0 ? "below" : "counted", peak, request, distance: Math.abs(distance) };
}
