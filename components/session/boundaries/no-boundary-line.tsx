import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { withoutRefusals } from "@/lib/core/compaction/simulation/simulated-compaction";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { shownWindow } from "../state/shown-window";
import { noBoundary } from "./no-boundary";

/** Why the policy in force has no boundary here, and how far the peak is from where it fires. Nothing where it has one. */
export function useNoBoundaryWords(): string | undefined {
  const t = useTranslations("session.boundary.none");
  const format = useFormat();
  const words = usePolicyWords();
  const { simulated, choice, threshold } = useReplay();
  const { summary } = useSession();
  const { policy } = choice;
  const isNone = policy.id !== "recorded" && withoutRefusals(simulated.compactions).length === 0;
  const why = useMemo(
    () => (isNone ? noBoundary(simulated.context, threshold, policy.id === "none") : undefined),
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

/** The same, below the list of recorded boundaries. */
export function NoBoundaryLine() {
  const said = useNoBoundaryWords();
  if (said === undefined) return null;
  return (
    <p className="border-b border-line px-4 py-3 text-sm text-t2" data-testid="no-boundary">
      {said}
    </p>
  );
}
