import { isInRange, type SettingValue } from "@/lib/core/compaction/policy/settings";
import type { NumberSpec } from "./trigger-setting";

/** How a number setting is written in its field: shares as percentages, everything else unchanged. */
export function toField(spec: NumberSpec, value: number): number {
  return spec.unit === "share" ? Number((value * 100).toFixed(4)) : value;
}

/** The setting's value for a typed number; `undefined` where it is not a number or out of range. */
export function fromField(spec: NumberSpec, text: string): number | undefined {
  const typed = Number(text.replaceAll(/[\s,_]/g, ""));
  if (text.trim() === "" || !Number.isFinite(typed)) return undefined;
  const value = spec.unit === "share" ? Number((typed / 100).toFixed(6)) : typed;
  return isInRange(spec, value) ? value : undefined;
}

/** Position of a value on the slider's track, 0 to 1. */
export function place(spec: NumberSpec, value: number): number {
  return spec.max === spec.min ? 0 : (value - spec.min) / (spec.max - spec.min);
}

/** The number in force for a setting; its default where the value is not a number. */
export function numberOf(spec: NumberSpec, value: SettingValue | undefined): number {
  return typeof value === "number" ? value : spec.default;
}
