import { Plus } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useReplay } from "../state/replay-data";
import { useView } from "../state/view";
import { useAddedRuns } from "./compare-params";
import { runOf } from "./run-param";

/** Adds the replay panel's policy, with its current settings, to the comparison. */
export function AddToCompare() {
  const t = useTranslations("compare.runs");
  const { choice } = useReplay();
  const { add, canAdd } = useAddedRuns();
  const { setLens } = useView();
  if (choice.policy.id === "recorded") return null;
  return (
    <div className="shrink-0 border-t border-line px-4 py-2">
      <Button
        size="md"
        className="w-full"
        disabled={!canAdd}
        title={canAdd ? undefined : t("full")}
        onClick={() => {
          add(runOf(choice));
          setLens("compare");
        }}
      >
        <Plus aria-hidden />
        {t("addCurrent")}
      </Button>
    </div>
  );
}
