import { RotateCcw } from "lucide-react";
import { useTranslations } from "use-intl";
import { SettingRows } from "@/components/settings/setting-rows";
import { Button } from "@/components/ui/button";
import { AddToCompare } from "../compare/add-to-compare";
import { useAskedChoice, useReplayActions } from "../state/replay-data";
import { PolicyChoice } from "./policy-choice";
import { PriceChoice } from "./price-choice";
import { Results } from "./results";
import { WindowField } from "./window-field";

/** What is replayed, how it is counted, the settings to turn, and the results. The rows are made from the policy's own settings. */
export function ReplayPanel() {
  return (
    <>
      <div className="min-h-0 grow lg:min-h-96 lg:overflow-y-auto whole-below-pin">
        <PolicyChoice />
        <Settings />
        <PriceChoice />
        <FirstOrder />
      </div>
      <Results />
      <AddToCompare />
    </>
  );
}

/** Title and reset button. */
export function ReplayHead() {
  const t = useTranslations("replay.panel");
  const { reset } = useReplayActions();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
      <h2 className="font-semibold">{t("title")}</h2>
      <Button variant="ghost" onClick={reset}>
        <RotateCcw aria-hidden />
        {t("reset")}
      </Button>
    </div>
  );
}

/** What no replay can know: it scrolls with the settings, which need the height more than it does. */
function FirstOrder() {
  const t = useTranslations("replay.results");
  return <p className="border-t border-line px-4 py-3 text-xs text-t3">{t("firstOrder")}</p>;
}

function Settings() {
  const choice = useAskedChoice();
  const { setSetting } = useReplayActions();
  if (choice.policy.id === "recorded") return null;
  return (
    <div className="border-t border-line px-4 py-2">
      <WindowField />
      <SettingRows choice={choice} onChange={setSetting} />
    </div>
  );
}
