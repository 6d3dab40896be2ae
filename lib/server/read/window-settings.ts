import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import type { StatedWindow } from "@/lib/core/context/window";
import { currentSettings } from "../agent-settings/current-settings";
import { type Environment, settingsFilesOf } from "../agent-settings/settings-files";

interface Session {
  /** The session's file. */
  readonly path: string;
  /** The project's folder, as the session or Claude Code states it. */
  readonly project: string | undefined;
  readonly model: string | undefined;
}

/**
 * The window for auto-compaction in an agent's settings files; `undefined` without one.
 * @param specs settings of the agent's policy
 */
export async function windowOfSettings(
  rule: SettingsFiles,
  specs: readonly SettingSpec[],
  session: Session,
  around: Environment,
): Promise<StatedWindow | undefined> {
  const own = specs.filter(({ key }) => key === rule.windowKey);
  if (own.length === 0) return undefined;
  const [stated] = currentSettings(own, rule, await settingsFilesOf(rule, session, around), session.model);
  return typeof stated?.value === "number" ? { tokens: stated.value, from: stated.file } : undefined;
}
