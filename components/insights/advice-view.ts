import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { toField, usePolicyWords } from "@/components/settings/use-words";
import { type AdvisedBy, gapOf } from "@/lib/core/advice/recommend";
import type { SweepSet } from "@/lib/core/analysis/grid";
import type { AdviceAnswer } from "@/lib/queries/contract/types";

export type Found = NonNullable<AdviceAnswer["found"]>;
type AdvisedUnder = Found["advice"];

/**
 * Effect of an assumption on the answer. `holds`: an equally good setting is best. `turns`: another setting is best. `few`: too few sessions. `none`:
 * no evidence for any setting.
 */
type Verdict = "holds" | "turns" | "few" | "none";

export interface AssumedRow {
  readonly under: string;
  /** The model of `on MODEL`, else nothing. */
  readonly model: string | undefined;
  readonly advised: AdvisedUnder;
  readonly verdict: Verdict;
  /** True if it concerns only some of the sessions. */
  readonly isPart: boolean;
}

/** The answer without assumptions, in its worst case, and under every assumption that might change it, in that order. */
export function assumedRows(found: Found): readonly AssumedRow[] {
  const all = [found.advice, ...(found.worst.under === "as-set" ? [] : [found.worst]), ...found.turns];
  return all.map((advised) => ({
    ...namedUnder(advised.under),
    advised,
    verdict: verdictOf(advised, found),
    isPart: advised.unknown + advised.alike > 0,
  }));
}

/** An assumption as messages name it: `on MODEL` is one message with a model. */
export function namedUnder(under: string): { readonly under: string; readonly model: string | undefined } {
  const isModel = under.startsWith("on ");
  return { under: isModel ? "on" : under, model: isModel ? under.slice("on ".length) : undefined };
}

function verdictOf({ set, missing }: AdvisedUnder, { flat }: Found): Verdict {
  const gap = gapOf(missing);
  if (gap !== undefined) return gap;
  return flat.some((one) => isSame(one, set)) ? "holds" : "turns";
}

function isSame(one: SweepSet, other: SweepSet): boolean {
  return Object.entries(one).every(([key, value]) => other[key] === value);
}

/** The gap in the evidence, and the assumption with the gap; absent for a recommendation. */
export function missingOf(found: Found): readonly { readonly under: string; readonly missing: string }[] {
  const { advice, worst, isEvidence } = found;
  if (isEvidence) return [];
  const own = advice.missing.map((missing) => ({ under: "as-set", missing }));
  if (own.length > 0) return own;
  const atWorst = worst.missing.map((missing) => ({ under: worst.under, missing }));
  return atWorst.length > 0 ? atWorst : [{ under: worst.under, missing: "other" }];
}

/** A part of the cost and its change, in dollars; below 0 for a saving. */
interface CostPart {
  readonly part: "read" | "anew" | "output" | "summaryCalls";
  readonly usd: number;
}

/** The parts that change by at least a cent, the largest change first. */
export function becauseParts({ because }: Found): readonly CostPart[] {
  if (because === null) return [];
  return (["read", "anew", "output", "summaryCalls"] as const)
    .map((part) => ({ part, usd: because[part] }))
    .filter(({ usd }) => Math.abs(usd) >= 0.005)
    .sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd));
}

/** The metric at every swept setting, and the flat region: settings within 1 % of the best, without a worse one between. */
interface SettingCurve {
  readonly points: readonly { readonly x: number; readonly y: number; readonly isFlat: boolean }[];
  readonly flat: readonly (readonly [from: number, to: number])[];
}

export function settingCurve({ settings, flat }: Found, key: string): SettingCurve {
  const values = flat.flatMap((set) => set[key] ?? []);
  const points = settings.flatMap(({ set, total }) => {
    const x = set[key];
    return x === undefined ? [] : [{ x, y: total, isFlat: values.includes(x) }];
  });
  return { points, flat: flatRegions(points) };
}

/** Both ends of each run of neighbouring flat points. */
function flatRegions(points: SettingCurve["points"]): SettingCurve["flat"] {
  const regions: [number, number][] = [];
  for (const [at, { x, isFlat }] of points.entries()) {
    const before = points[at - 1];
    if (!isFlat || before?.isFlat !== true) continue;
    const last = regions.at(-1);
    if (last?.[1] === before.x) last[1] = x;
    else regions.push([before.x, x]);
  }
  return regions;
}

/** Formats of a recommendation. */
export function useAdviceWords() {
  const t = useTranslations("insights");
  const words = usePolicyWords();
  const format = useFormat();
  return {
    /** The metric to minimise. */
    by: (by: AdvisedBy) => t(`by.${by}`),
    /** @param isLeast true if a cost is a lower bound */
    amount: (by: AdvisedBy, value: number, isLeast = false) =>
      by === "cost" ? format.usd(value, isLeast) : format.sum(value),
    amountShort: (by: AdvisedBy, value: number) => (by === "cost" ? format.usdShort(value) : format.short(value)),
    /** A setting's value next to an axis, without its unit. */
    tick: (spec: NumberSpec, value: number) =>
      spec.unit === "share" ? String(toField(spec, value)) : format.short(toField(spec, value)),
    /** A setting with its value: "Trigger 85 %". */
    set: (spec: NumberSpec, set: SweepSet) => {
      const value = set[spec.key];
      if (value === undefined) return words.setting(spec);
      const field = toField(spec, value);
      const amount = Number.isInteger(field) ? format.count(field) : String(field);
      return `${words.setting(spec)} ${amount}\u00a0${words.unit(spec.unit)}`;
    },
    /** A saving with its interval: "14.6 % [5.9 %, 20.5 %]". */
    saving: (saving: AdvisedUnder["saving"]) =>
      t("interval", {
        estimate: format.percent(saving.estimate, 1),
        low: format.percent(saving.low, 1),
        high: format.percent(saving.high, 1),
      }),
    share: (share: number) => format.percent(share, 1),
  };
}
