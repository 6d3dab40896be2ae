import { Copy, PanelRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { ReplayChoice } from "../state/replay-choice";
import { useReplayActions } from "../state/replay-data";
import { useAddedRuns } from "./compare-params";
import { type AddedRun, runOf } from "./run-param";

interface RunActionsProps {
  readonly run: AddedRun;
  readonly choice: ReplayChoice;
}

/** Copies a run, to be changed beside the original; or makes it the replay panel's policy, for every other view of the session. */
export function RunActions({ run, choice }: RunActionsProps) {
  const t = useTranslations("compare.runs");
  const { add, canAdd } = useAddedRuns();
  const toPanel = useToPanel();
  return (
    <div className="flex flex-wrap gap-2 border-t border-line pt-3">
      <Button disabled={!canAdd} title={canAdd ? undefined : t("full")} onClick={() => add(run)}>
        <Copy aria-hidden />
        {t("duplicate")}
      </Button>
      <Button onClick={() => toPanel(choice)}>
        <PanelRight aria-hidden />
        {t("toPanel")}
      </Button>
    </div>
  );
}

/**
 * Sets the replay panel to a choice: its policy, preset and window, and the settings that differ from their defaults. What was
 * set for the previous policy is cleared.
 */
function useToPanel(): (choice: ReplayChoice) => void {
  const { setPolicy, setPreset, setWindow, setSetting } = useReplayActions();
  return (choice) => {
    const { policy, preset, window, settings } = runOf(choice);
    setPolicy(policy);
    if (preset !== null) setPreset(preset);
    if (window !== null) setWindow(window);
    for (const [key, value] of Object.entries(settings)) setSetting(key, value);
  };
}
