import { agentName } from "@/lib/agents/agents";
import { policyById } from "@/lib/agents/policies";
import type { SweepSet } from "@/lib/core/analysis/grid";
import type { Tokens } from "@/lib/core/base/units";
import { isInputKey } from "@/lib/core/compaction/policy/input-settings";
import { type SettingLine, settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { resolveSettings, type SettingSpec } from "@/lib/core/compaction/policy/settings";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import type { ReplayRequest, SettingLineWire } from "@/lib/queries/contract/types";
import { firstPreset, sessionlessSettings } from "../session/session-context";

/** One point of a policy's settings, with the lines that give the real agent the same. */
export interface TypedPoint {
  readonly preset: string;
  readonly specs: readonly SettingSpec[];
  readonly lines: readonly SettingLine[];
}

/**
 * The point of a sweep as a user types it into the real agent; without lines if all settings have their defaults. `undefined` for a user's own policy,
 * which has no real agent and which only its thread knows.
 */
export function typedPoint(
  { policy: id, preset, settings = {} }: Pick<ReplayRequest, "policy" | "preset" | "settings">,
  set: SweepSet,
  window: Tokens,
): TypedPoint | undefined {
  const policy = policyById(id);
  if (policy === undefined) return undefined;
  const chosen = { policy, preset: presetOfName(policy, preset ?? "") ?? firstPreset(policy) };
  const specs = sessionlessSettings(policy, chosen.preset, window);
  const own = Object.entries({ ...settings, ...set }).filter(([key]) => !isInputKey(key));
  const resolved = resolveSettings(specs, Object.fromEntries(own));
  const lines = settingToType({ ...chosen, specs }, resolved, window, Object.keys(set)) ?? [];
  return { preset: chosen.preset, specs, lines };
}

/** The lines of `typedPoint` as answers write them; empty without any, and for a policy that belongs to no agent. */
export function settingLines(...point: Parameters<typeof typedPoint>): readonly SettingLineWire[] {
  if (agentName(point[0].policy) === undefined) return [];
  const { lines = [] } = typedPoint(...point) ?? {};
  return lines.map(({ key, text = null, file = null, source = null, reaches }) => ({
    ...{ key, text, file, source },
    ...(reaches === undefined ? {} : { reaches }),
  }));
}
