import { useMemo } from "react";
import { POLICIES } from "@/lib/agents/policies";
import { INPUT_KEYS, isInputKey } from "@/lib/core/compaction/settings/input-settings";
import type { SettingValue } from "@/lib/core/compaction/settings/settings";
import { settingParser } from "./url-state";
import { useAddress } from "./use-address";

/** Every setting of every policy, as `set.KEY` in the address. The selected policy decides which of them count. */
const KEYS = [
  ...INPUT_KEYS,
  ...new Set(
    POLICIES.flatMap((policy) =>
      policy.presets.flatMap((preset) =>
        policy.settings(preset, { window: 200_000, agent: null }).map(({ key }) => key),
      ),
    ),
  ),
];
const PARSERS = Object.fromEntries(KEYS.map((key) => [key, settingParser]));
const OPTIONS = { urlKeys: Object.fromEntries(KEYS.map((key) => [key, `set.${key}`])) };
const NOTHING = Object.fromEntries(KEYS.map((key) => [key, null]));
const NOTHING_OWN = Object.fromEntries(KEYS.filter((key) => !isInputKey(key)).map((key) => [key, null]));

export interface SettingParams {
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Sets one setting; `null` takes it out of the address. */
  readonly set: (key: string, value: SettingValue) => void;
  readonly clear: () => void;
  /** Clears the policy's own settings. Changed settings of the inputs stay, whatever the policy. */
  readonly clearOwn: () => void;
}

/** The settings in the address. */
export function useSettingParams(): SettingParams {
  const [values, update] = useAddress(PARSERS, OPTIONS);
  return useMemo(
    () => ({
      values,
      set: (key, value) => void update({ [key]: value }),
      clear: () => void update(NOTHING),
      clearOwn: () => void update(NOTHING_OWN),
    }),
    [values, update],
  );
}
