import { useTranslations } from "use-intl";
import { atLeast, shortMetric } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { toField, usePolicyWords } from "@/components/settings/use-words";
import type { SweepSet } from "@/lib/core/analysis/grid";
import type { Band } from "@/lib/core/metrics/metric";
import type { MetricKey } from "@/lib/core/metrics/registry";
import { metricOf } from "@/lib/core/metrics/values";
import { useSweepData } from "./sweep-data";

interface SweepWords {
  /** A setting's value, short enough for an axis: 85, 20k. */
  readonly tick: (spec: NumberSpec, value: number) => string;
  /** A setting's value with its unit: 85 %, 20,000 tokens. */
  readonly value: (spec: NumberSpec, value: number) => string;
  /** A point by its settings: "Trigger 85 %, Keep recent 20,000 tokens". */
  readonly set: (set: SweepSet) => string;
  /** The name of a setting with its unit, for an axis. */
  readonly axis: (spec: NumberSpec) => string;
  readonly metric: (metric: MetricKey) => string;
  /** A metric, shortened; `n/a` if absent. */
  readonly metricValue: (metric: MetricKey, value: number | null, band?: Band) => string;
}

/** Formats for points and metrics of a sweep. */
export function useSweepWords(): SweepWords {
  const t = useTranslations("metrics.name");
  const none = useTranslations("common.value");
  const words = usePolicyWords();
  const format = useFormat();
  const { axes } = useSweepData();
  const amount = (spec: NumberSpec, value: number): string => {
    const field = toField(spec, value);
    return Number.isInteger(field) ? format.count(field) : String(field);
  };
  const withUnit = (spec: NumberSpec, value: number): string => `${amount(spec, value)} ${words.unit(spec.unit)}`;
  return {
    tick: (spec, value) => (spec.unit === "share" ? amount(spec, value) : format.short(value)),
    value: withUnit,
    set: (set) =>
      format.list(
        axes.flatMap(({ spec }) => {
          const value = set[spec.key];
          return value === undefined ? [] : [`${words.setting(spec)} ${withUnit(spec, value)}`];
        }),
      ),
    axis: (spec) => format.list([words.setting(spec), words.unit(spec.unit)]),
    metric: (metric) => t(metric),
    metricValue: (metric, value, band) =>
      value === null ? none("na") : atLeast(shortMetric(metricOf(metric), value, format), band),
  };
}
