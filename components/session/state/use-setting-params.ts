import { useMemo } from "react";
import { POLICIES } from "@/lib/agents/loaded";
import { INPUT_KEYS, isInputKey } from "@/lib/core/compaction/settings/input-settings";
import type { SettingValue } from "@/lib/core/compaction/settings/settings";
import { settingParser } from "./url-state";
import { useAddress } from "./use-address";

/** What the address may hold of settings. */
interface SettingKeys {
  readonly policies: number;
  readonly parsers: Readonly<Record<string, typeof settingParser>>;
  readonly options: { readonly urlKeys: Record<string, string> };
  readonly nothing: Readonly<Record<string, null>>;
  readonly nothingOwn: Readonly<Record<string, null>>;
}

let known: SettingKeys | undefined;

/** Every setting of every policy that is loaded, as `set.KEY` in the address. The selected policy decides which of them count. */
function settingKeys(): SettingKeys {
  if (known?.policies === POLICIES.length) return known;
  const own = POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) => policy.settings(preset, { window: 200_000, agent: null }).map(({ key }) => key)),
  );
  const keys = [...INPUT_KEYS, ...new Set(own)];
  known = {
    policies: POLICIES.length,
    parsers: Object.fromEntries(keys.map((key) => [key, settingParser])),
    options: { urlKeys: Object.fromEntries(keys.map((key) => [key, `set.${key}`])) },
    nothing: Object.fromEntries(keys.map((key) => [key, null])),
    nothingOwn: Object.fromEntries(keys.filter((key) => !isInputKey(key)).map((key) => [key, null])),
  };
  return known;
}

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
  const { parsers, options, nothing, nothingOwn } = settingKeys();
  const [values, update] = useAddress(parsers, options);
  return useMemo(
    () => ({
      values,
      set: (key, value) => void update({ [key]: value }),
      clear: () => void update(nothing),
      clearOwn: () => void update(nothingOwn),
    }),
    [values, update, nothing, nothingOwn],
  );
}
