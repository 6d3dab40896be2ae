import { PasteLines } from "@/components/settings/paste-lines";
import { settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { useReplay } from "../state/stores";

/** The settings of the replay panel as a user types them into the real agent; nothing while all are defaults. */
export function SettingToPaste() {
  const { choice } = useReplay("choice");
  const lines = settingToType(choice, choice.settings, choice.window.tokens);
  return lines === undefined ? null : <PasteLines lines={lines} window={choice.window.tokens} />;
}
