import { isInRange, type SettingValue } from "@/lib/core/compaction/settings";
import type { NumberSpec } from "./trigger-setting";

/** How a number setting is written in its field: shares as percentages, everything else as it is. */
export function toField(spec: NumberSpec, value: number): number {
  return spec.unit === "share" ? Number((value * 100).toFixed(4)) : value;
}

/** The setting's value that was typed; `undefined` where it is no number or out of range. */
export function fromField(spec: NumberSpec, text: string): number | undefined {
  const typed = Number(text.replaceAll(/[\s,_]/g, ""));
  if (text.trim() === "" || !Number.isFinite(typed)) return undefined;
  const value = spec.unit === "share" ? Number((typed / 100).toFixed(6)) : typed;
  return isInRange(spec, value) ? value : undefined;
}

/** Place of a value on the slider's track, 0 to 1. */
export function place(spec: NumberSpec, value: number): number {
  return spec.max === spec.min ? 0 : (value - spec.min) / (spec.max - spec.min);
}

/** The number of a setting in force, its default where the value is none. */
export function numberOf(spec: NumberSpec, value: SettingValue | undefined): number {
  return typeof value === "number" ? value : spec.default;
}
