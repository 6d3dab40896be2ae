import { policyById } from "@/lib/agents/policies";
import type { SweepSet } from "@/lib/core/analysis/grid";
import type { Tokens } from "@/lib/core/base/units";
import { isInputKey } from "@/lib/core/compaction/policy/input-settings";
import { settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { resolveSettings, type Source } from "@/lib/core/compaction/policy/settings";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import type { ReplayRequest } from "@/lib/queries/contract/types";
import { firstPreset } from "../session/session-context";

/** A line of `settingToType` as answers write it. Source: docs/interfaces.md, "Settings". */
export interface SettingLineWire {
  readonly key: string;
  readonly text: string | null;
  readonly file: string | null;
  readonly source: Source | null;
}

/** Lines that give the real agent the settings of one point of a sweep; empty if none of them says how the agent takes it. */
export function settingLines(
  { policy: id, preset, settings = {} }: Pick<ReplayRequest, "policy" | "preset" | "settings">,
  set: SweepSet,
  window: Tokens,
): readonly SettingLineWire[] {
  const policy = policyById(id);
  // A user's own policy has no real agent, and only its thread knows it.
  if (policy === undefined) return [];
  const chosen = { policy, preset: presetOfName(policy, preset ?? "") ?? firstPreset(policy) };
  const specs = policy.settings(chosen.preset, { window, agent: null });
  const own = Object.entries({ ...settings, ...set }).filter(([key]) => !isInputKey(key));
  const lines = settingToType({ ...chosen, specs }, resolveSettings(specs, Object.fromEntries(own)), window) ?? [];
  return lines.map(({ key, text = null, file = null, source = null }) => ({ key, text, file, source }));
}
