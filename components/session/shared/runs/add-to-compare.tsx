import { Pin, Plus } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useReplay } from "../state/replay-data";
import { useView } from "../state/view";
import { placesOfKnown, useAddedRuns } from "./compare-params";
import { runOf, runText } from "./run-param";
import { FIXED_RUNS, runStyle } from "./run-style";

/**
 * Adds the replay panel's policy, with its current settings, to the comparison. There it is compared already, as B: adding it freezes its settings
 * under the next letter, so that what is changed next can be set against them. The same settings are frozen once.
 */
export function AddToCompare() {
  const t = useTranslations("compare.runs");
  const { choice } = useReplay();
  const { runs, add, canAdd } = useAddedRuns();
  const { lens, setLens } = useView();
  if (choice.policy.id === "recorded") return null;
  const run = runOf(choice);
  const frozen = runs.findIndex((one) => runText(one) === runText(run));
  const isCompared = lens === "compare";
  const places = placesOfKnown(runs);
  const { letter } = runStyle(FIXED_RUNS + (frozen === -1 ? places.length : places.indexOf(frozen)));
  const note = isCompared ? t("freezeNote", { letter }) : undefined;
  const Icon = isCompared ? Pin : Plus;
  return (
    <div className="shrink-0 border-t border-line px-4 py-2">
      <Button
        size="md"
        className="w-full"
        disabled={isCompared ? frozen !== -1 || !canAdd : frozen === -1 && !canAdd}
        title={canAdd ? note : t("full")}
        onClick={() => {
          if (frozen === -1) add(run);
          setLens("compare");
        }}
      >
        <Icon aria-hidden />
        {isCompared ? t(frozen === -1 ? "freeze" : "frozen", { letter }) : t("addCurrent")}
      </Button>
    </div>
  );
}
