import { PasteLines } from "@/components/settings/paste-lines";
import { agentName } from "@/lib/agents/agents";
import { settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { useReplay } from "../state/stores";

interface SettingToPasteProps {
  /** The settings; default: those of the replay panel. */
  readonly settings?: Settings;
  /** Text before the lines; by default "Setting to paste". */
  readonly label?: string | undefined;
}

/** Settings in the format that a user types into the real agent; nothing while all are defaults. */
export function SettingToPaste({ settings, label }: SettingToPasteProps) {
  const { choice } = useReplay("choice");
  // A policy that belongs to no agent has no settings file to paste into.
  if (agentName(choice.policy.id) === undefined) return null;
  const lines = settingToType(choice, settings ?? choice.settings, choice.window.tokens);
  return lines === undefined ? null : <PasteLines lines={lines} window={choice.window.tokens} label={label} />;
}
