import { useTranslations } from "use-intl";
import { SettingRows } from "@/components/settings/setting-rows";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { POLICIES } from "@/lib/agents/loaded";
import { SCHEDULES } from "@/lib/core/compaction/policies/scheduled";
import type { Policy } from "@/lib/core/compaction/policy";
import { lastingName } from "@/lib/core/compaction/preset-names";
import { WindowRow } from "../panel/window-field";
import { presetToName, type ReplayChoice } from "../state/replay-choice";
import { useSession } from "../state/session-data";
import type { AddedRun } from "./run-param";
import { withoutRule } from "./use-run-words";

/** Policies that can be added; the recording is always in the comparison. */
export function addable(): readonly Policy[] {
  return POLICIES.filter(({ id }) => id !== "recorded");
}

interface RunEditorProps {
  readonly run: AddedRun;
  readonly choice: ReplayChoice;
  readonly onChange: (run: AddedRun) => void;
}

/** Policy, preset, schedule, window and settings of an added run, built from the parts of the replay panel. */
export function RunEditor({ run, choice, onChange }: RunEditorProps) {
  const t = useTranslations("replay.panel");
  const compare = useTranslations("compare.runs");
  const words = usePolicyWords();
  const { summary } = useSession();
  return (
    <>
      <div className="grid grid-cols-2 gap-2 pb-1">
        <Choice
          label={t("policy")}
          value={choice.policy.id}
          options={addable().map((policy) => [policy.id, words.policy(policy)])}
          onChange={(policy) => onChange({ ...run, policy, preset: presetToName(policy, summary), settings: {} })}
        />
        <Choice
          label={t("preset")}
          value={choice.preset}
          options={choice.policy.presets.map((preset) => [preset, words.preset(preset, choice.policy)])}
          onChange={(preset) => onChange({ ...run, preset: lastingName(choice.policy, preset), settings: {} })}
        />
      </div>
      <Choice
        label={compare("schedule")}
        value={run.schedule}
        options={SCHEDULES.map((schedule) => [schedule, compare(`scheduled.${schedule}`)])}
        onChange={(schedule) => onChange({ ...run, schedule })}
        className="mb-1 w-full"
      />
      <WindowRow choice={choice} onWindow={(window) => onChange({ ...run, window })} />
      <SettingRows
        choice={run.schedule === "best" ? withoutRule(choice) : choice}
        onChange={(key, value) => onChange({ ...run, settings: { ...run.settings, [key]: value } })}
      />
    </>
  );
}
