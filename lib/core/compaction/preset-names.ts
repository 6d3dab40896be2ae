import type { Policy } from "./policy/policy";

/** The part of a policy that names its presets, with or without dates. */
type Dated = Pick<Policy, "presets" | "presetDates">;

/** The preset with a name, either its own or its dated one; `undefined` where no preset has that name. */
export function presetOfName({ presets, presetDates = {} }: Dated, name: string): string | undefined {
  return presets.find((preset) => preset === name || presetDates[preset] === name);
}

/** The name of a preset that will still mean the same rules tomorrow: its dated one if it has one. */
export function lastingName({ presetDates = {} }: Dated, preset: string): string {
  return presetDates[preset] ?? preset;
}
