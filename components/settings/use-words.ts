import { useTranslations } from "use-intl";
import type { PolicyName } from "@/lib/agents/policies";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import {
  isInRange,
  limitsOf,
  type NumberLimits,
  type SettingSource,
  type SettingSpec,
  type SettingValue,
} from "@/lib/core/compaction/policy/settings";
import type { NumberSpec } from "./trigger-setting";

interface PolicyWords {
  readonly policy: (policy: PolicyName) => string;
  /**
   * @param policy the preset's policy; if given, the date of its rules follows the name
   */
  readonly preset: (preset: string, policy?: Policy) => string;
  readonly setting: (spec: Pick<SettingSpec, "key" | "label" | "own">) => string;
  readonly choice: (value: string) => string;
  readonly unit: (unit: string) => string;
  readonly source: (source: SettingSource) => string;
}

/**
 * Names of policies, presets and settings in the user's language. Policies bring their own English names, so a new policy needs no edit here. A name
 * without a message is shown in the policy's words.
 */
export function usePolicyWords(): PolicyWords {
  const t = useTranslations("replay");
  const known = (key: string, otherwise: string): string =>
    // The key is built from data, so the compiler cannot know it; `has` checks it.
    t.has(key as never) ? t(key as never) : otherwise;
  return {
    policy: (policy) => known(`policy.${policy.id}`, policy.label),
    preset: (preset, policy) => {
      const name = known(`preset.${preset.replaceAll(".", "-")}`, preset);
      const date = policy?.presetDates?.[preset];
      return date === undefined ? name : `${name} · ${date}`;
    },
    setting: (spec) => (spec.own === true ? spec.label : known(`setting.${spec.key}`, spec.label)),
    choice: (value) => known(`choice.${value}`, value),
    unit: (unit) => known(`unit.${unit}`, unit),
    source: ({ kind, text, notes = [], values }) => {
      // The compiler sees a note's name as plain data; a test ensures that every note has a message.
      const noteTexts = notes.map((note) => t(`source.note.${note}` as never, values as never));
      const what = [...(text === undefined ? [] : [text]), ...noteTexts];
      if (what.length === 0) return t(`source.${kind}`);
      return t("source.line", {
        kind: t(`source.${kind}`),
        what: what.reduce((one, other) => t("source.and", { one, other })),
      });
    },
  };
}

/** A number setting in its field's format: shares as percentages, all others unchanged. */
export function toField(spec: NumberSpec, value: number): number {
  return spec.unit === "share" ? Number((value * 100).toFixed(4)) : value;
}

/** The setting's value for a typed number; `undefined` if it is not a number or out of range. */
export function fromField(spec: NumberSpec, text: string): number | undefined {
  const typed = typedNumber(text);
  if (typed === undefined) return undefined;
  const value = spec.unit === "share" ? Number((typed / 100).toFixed(6)) : typed;
  return isInRange(spec, value) ? value : undefined;
}

/** The range that a setting's field accepts, in the unit of the field. */
export function fieldLimits(spec: NumberSpec): NumberLimits {
  const { min, max, whole } = limitsOf(spec);
  return { min: toField(spec, min), max: toField(spec, max), whole };
}

const SUFFIXES: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6 };

/** A typed number, with or without separators and a suffix: `13k`, `1.5M`, `12,500`. `undefined` if the text is not one. */
export function typedNumber(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(-?\d+(?:\.\d+)?|-?\.\d+)([km]?)$/iu.exec(text.replaceAll(/[\s,_]/gu, "")) ?? [];
  if (digits === undefined) return undefined;
  return Number((Number(digits) * (SUFFIXES[suffix.toLowerCase()] ?? 1)).toFixed(6));
}

/** Position of a value on the slider's track, 0 to 1. */
export function place(spec: NumberSpec, value: number): number {
  return spec.max === spec.min ? 0 : (value - spec.min) / (spec.max - spec.min);
}

/** The current number for a setting; its default if the value is not a number. */
export function numberOf(spec: NumberSpec, value: SettingValue | undefined): number {
  return typeof value === "number" ? value : spec.default;
}
