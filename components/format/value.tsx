import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import type { Band, Metric } from "@/lib/core/metrics/metric";
import { atLeast, bandMetric, exactMetric } from "./metrics";
import { useFormat } from "./use-format";

interface ValueProps {
  /** The written value; `null` if none was recorded. */
  readonly children: string | null;
  /** The exact value, shown on hover if `children` is shortened. */
  readonly exact?: string | undefined;
  readonly className?: string;
}

/** A value, or a quiet `n/a`: absent is never 0 and never an empty cell. */
export function Value({ children, exact, className }: ValueProps) {
  const t = useTranslations("common.value");
  if (children === null) {
    return (
      <span className={cn("text-t3", className)} title={t("naReason")}>
        {t("na")}
      </span>
    );
  }
  return (
    <span className={className} title={exact}>
      {children}
    </span>
  );
}

interface MetricValueProps {
  readonly metric: Pick<Metric, "unit">;
  readonly value: number | null;
  readonly band?: Band | undefined;
}

/** A metric of a replay in full, or `n/a`; below it its range, if known. */
export function MetricValue({ metric, value, band }: MetricValueProps) {
  const format = useFormat();
  return (
    <>
      <Value>{value === null ? null : atLeast(exactMetric(metric, value, format), band)}</Value>
      <BandText metric={metric} band={band} />
    </>
  );
}

/** The range of a metric; empty if unknown or a single value. */
export function BandText({ metric, band }: Omit<MetricValueProps, "value">) {
  const format = useFormat();
  const t = useTranslations("common.value");
  const text = bandMetric(metric, band, format);
  if (text === undefined) return null;
  return (
    <span className="block text-sm font-normal whitespace-nowrap text-t3" title={t("band")} data-band>
      {text}
    </span>
  );
}
