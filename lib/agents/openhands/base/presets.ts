import type { WrittenFile } from "@/lib/agents/shared/profile";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSpec } from "@/lib/core/compaction/policy/settings";
import {
  CONDENSER_CODE,
  FEWEST_EVENTS,
  KEEP_FIRST,
  MAX_EVENTS,
  OLD_CONDENSER_CODE,
  OLD_KEEP_FIRST,
  OLD_MAX_EVENTS,
  OLD_SESSION_CODE,
  SETTINGS_CODE,
} from "./constants";

/** The condenser of the software agent SDK, and that of the last release before it. Source: README.md, "Rules". */
export const OPENHANDS_PRESETS = ["current", "v0.62.0"] as const;

/** True for the rules before the SDK. */
export function isBeforeSdk(preset: string): boolean {
  return preset === OPENHANDS_PRESETS[1];
}

/** Generations of the events: those before the SDK, and the SDK's own. Source: README.md. */
export const GENERATION = { BEFORE: 0, SDK: 1 } as const;

/** The preset for a recording: no event names a release, but each generation has its own. */
export function presetFor(_version: string | undefined, file?: WrittenFile): string {
  return OPENHANDS_PRESETS[file?.formatVersion === GENERATION.BEFORE ? 1 : 0];
}

/** Settings of the policy, with their defaults and the defaults' sources. */
export function openHandsSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const isOld = isBeforeSdk(preset);
  const sizes = isOld ? ([OLD_MAX_EVENTS, OLD_KEEP_FIRST] as const) : ([MAX_EVENTS, KEEP_FIRST] as const);
  const setting = (key: string): InAgent =>
    isOld
      ? { text: `${key} = <value>`, file: "config.toml, [condenser] with type = 'llm'", source: OLD_CONDENSER_CODE }
      : { text: `"condenser": { "${key}": <value> }`, file: "agent settings", source: SETTINGS_CODE };
  return [
    {
      ...numberSpec(
        "maxEvents",
        "Events before condensing",
        "events",
        [FEWEST_EVENTS, 1000, 4],
        sizes[0],
        isOld ? OLD_SESSION_CODE : SETTINGS_CODE,
      ),
      inAgent: setting("max_size"),
    },
    {
      ...numberSpec(
        "keepFirst",
        "First events kept",
        "events",
        [0, 100, 1],
        sizes[1],
        isOld ? OLD_SESSION_CODE : SETTINGS_CODE,
      ),
      inAgent: setting("keep_first"),
    },
    ...(isOld ? [] : [maxTokens(context, setting("max_tokens"))]),
    // OpenHands' tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}

function maxTokens({ window }: PolicyContext, inAgent: InAgent): SettingSpec {
  const range = [0, window, 1000] as const;
  const source = { ...CONDENSER_CODE, notes: ["mostTheWindow"] };
  return { ...numberSpec("maxTokens", "Trigger", "tokens", range, window, source), inAgent };
}
