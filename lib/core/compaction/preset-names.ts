import type { Policy } from "./policy";

/** Policies whose presets bear dates, or none. */
type Dated = Pick<Policy, "presets" | "presetDates">;

/** The preset of a name: its own or its dated one; `undefined` where there is none of that name. */
export function presetOfName({ presets, presetDates = {} }: Dated, name: string): string | undefined {
  return presets.find((preset) => preset === name || presetDates[preset] === name);
}

/** The name of a preset that means the same rules tomorrow: its dated one where it has one. */
export function lastingName({ presetDates = {} }: Dated, preset: string): string {
  return presetDates[preset] ?? preset;
}
