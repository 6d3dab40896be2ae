import type { Policy } from "./policy/policy";

/** Names of a policy's presets, with or without dates. */
type Dated = Pick<Policy, "presets" | "presetDates">;

/** Preset with this name or dated name; `undefined` if there is none. */
export function presetOfName({ presets, presetDates = {} }: Dated, name: string): string | undefined {
  return presets.find((preset) => preset === name || presetDates[preset] === name);
}

/** Permanent name of a preset: its dated name if it has one, so that a link keeps its rules. */
export function lastingName({ presetDates = {} }: Dated, preset: string): string {
  return presetDates[preset] ?? preset;
}
