import { useTranslations } from "use-intl";
import { usePolicyWords } from "@/components/settings/use-words";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { profileOf } from "@/lib/agents/profiles";
import type { BreakdownView } from "@/lib/questions/breakdown-view";
import { useSession } from "../state/session-data";

interface ViewChoiceProps {
  readonly views: readonly BreakdownView[];
  readonly view: BreakdownView;
  readonly onView: (name: string) => void;
}

/** Selects a breakdown: one of the agent's own rule sets, or ours. For agents without a rule set it is only a label. */
export function ViewChoice({ views, view, onView }: ViewChoiceProps) {
  const t = useTranslations("session.composition");
  const words = usePolicyWords();
  const { summary } = useSession();
  const label = profileOf(summary.agent)?.label ?? "";
  const nameOf = ({ preset }: BreakdownView) =>
    preset === undefined ? t("ours") : t("own", { agent: label, preset: words.preset(preset) });
  if (views.length === 1)
    return <span className="text-sm text-t2">{t("onlyOurs", { agent: label || t("noAgent") })}</span>;
  return (
    <Select value={view.name} onValueChange={onView}>
      <SelectTrigger aria-label={t("view")} className="max-w-full" data-testid="breakdown-view">
        <SelectValue>{nameOf(view)}</SelectValue>
      </SelectTrigger>
      <SelectContent>
        {views.map((one) => (
          <SelectItem key={one.name} value={one.name}>
            {nameOf(one)}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
