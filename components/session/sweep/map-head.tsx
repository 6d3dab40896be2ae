import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { UnderWayStatus } from "@/components/format/under-way";
import { useFormat } from "@/components/format/use-format";
import { Choice } from "@/components/ui/choice";
import { sweepPoints } from "@/lib/core/analysis/grid";
import { SWEPT_METRICS } from "@/lib/core/metrics/values";
import { extent, RAMP_STEPS } from "./heat-map";
import type { ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

/** The metric of the map, and its colour ramp. */
export function MapHead({ shown, children }: { readonly shown: ShownPoints; readonly children?: ReactNode }) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const { metric, setMetric } = useSweepData();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
      <Choice
        label={t("metric")}
        value={metric}
        options={SWEPT_METRICS.map(({ key }) => [key, words.metric(key)] as const)}
        onChange={setMetric}
        className="w-44"
      />
      <Ramp shown={shown} />
      {children}
    </div>
  );
}

function Ramp({ shown }: { readonly shown: ShownPoints }) {
  const words = useSweepWords();
  const { metric } = useSweepData();
  const [low, high] = extent(shown.points.map(({ metrics }) => metrics[metric])) ?? [null, null];
  return (
    <span className="flex items-center gap-1.5 text-xs text-t2">
      {words.metricValue(metric, low)}
      <span aria-hidden className="flex">
        {Array.from({ length: RAMP_STEPS }, (_, index) => index + 1).map((step) => (
          <span key={step} className="h-3 w-5" style={{ backgroundColor: `var(--ramp-${step})` }} />
        ))}
      </span>
      {words.metricValue(metric, high)}
    </span>
  );
}

/** Progress of a sweep in replays, as a status. */
export function useProgressText() {
  const t = useTranslations("sweep.status");
  const format = useFormat();
  return (done: number, total: number, label: string) => {
    const text = t("progress", { done: format.count(done), total: format.count(total) });
    return { done, total, label, text };
  };
}

/** Number of replays of the sweep, or of those done so far. */
export function SweepStatus() {
  const t = useTranslations("sweep.status");
  const format = useFormat();
  const progress = useProgressText();
  const { result, running, done, axes } = useSweepData();
  const total = running ? sweepPoints(axes.map(({ range }) => range)).length : 0;
  return (
    <UnderWayStatus testId="sweep-status" running={running ? progress(done, total, t("running")) : undefined}>
      {!running &&
        result !== undefined &&
        t("done", { count: result.points.length, ms: format.count(Math.max(1, Math.round(result.workMs))) })}
    </UnderWayStatus>
  );
}
