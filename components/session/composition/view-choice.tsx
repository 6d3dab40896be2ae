import { useTranslations } from "use-intl";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { agentName } from "@/lib/agents/agents";
import type { BreakdownView } from "@/lib/queries/contexts/breakdown-view";
import { useSession } from "../shared/state/stores";

interface ViewChoiceProps {
  readonly views: readonly BreakdownView[];
  readonly view: BreakdownView;
  readonly onView: (name: string) => void;
}

/** Selects a breakdown: one of the agent's own rule sets, or this program's. Only a label for agents without a rule set. */
export function ViewChoice({ views, view, onView }: ViewChoiceProps) {
  const t = useTranslations("session.composition");
  const words = usePolicyWords();
  const { summary } = useSession("summary");
  const label = agentName(summary.agent)?.label ?? "";
  const nameOf = ({ preset }: BreakdownView) =>
    preset === undefined ? t("ours") : t("own", { agent: label, preset: words.preset(preset) });
  if (views.length === 1)
    return <span className="text-sm text-t2">{t("onlyOurs", { agent: label || t("noAgent") })}</span>;
  return (
    <Choice
      label={t("view")}
      value={view.name}
      options={views.map((one) => [one.name, nameOf(one)])}
      onChange={onView}
      className="max-w-full"
      testId="breakdown-view"
    />
  );
}
