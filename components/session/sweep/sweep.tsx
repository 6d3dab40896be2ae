"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/replay/use-words";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useReplay } from "../state/replay-data";
import { variable } from "./axes";
import { Curve } from "./curve";
import { HeatMap } from "./heat-map";
import { MapHead, SweepStatus } from "./map-head";
import { ParetoChart } from "./pareto-chart";
import { PointsTable } from "./points-table";
import { SeveralRecordings } from "./several/several-recordings";
import { SweepControls } from "./sweep-controls";
import { SweepDataProvider, useSweepData } from "./sweep-data";
import type { SweepResult } from "./sweep-run";
import { useSweepWords } from "./use-sweep-words";

/** One or two settings of the replay panel's policy over a range. */
export function Sweep() {
  const t = useTranslations("sweep");
  const { choice } = useReplay();
  if (variable(choice).length === 0) return <Notice title={t("nothingTitle")} body={t("nothingBody")} />;
  return (
    <SweepDataProvider>
      <SweepView />
    </SweepDataProvider>
  );
}

function SweepView() {
  const t = useTranslations("sweep");
  const words = usePolicyWords();
  const { choice } = useReplay();
  const { result, running } = useSweepData();
  return (
    <div data-testid="sweep" aria-busy={running}>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 pt-2">
        <h2 className="grow font-semibold">{t("title", { policy: words.policy(choice.policy) })}</h2>
        <SweepStatus />
      </div>
      <SweepControls />
      {result === undefined ? <Skeleton className="mx-4 my-2 h-80" /> : <Charts result={result} stale={running} />}
      <SeveralRecordings />
      <p className="border-t border-line px-4 py-3 text-xs text-t3">{t("firstOrder")}</p>
    </div>
  );
}

/** The charts of the last sweep; while the next one is under way they stay, in grey. */
function Charts({ result, stale }: { readonly result: SweepResult; readonly stale: boolean }) {
  const { axes } = useSweepData();
  // The result may be of the axes before: its own ranges say what it is of.
  const [first, second] = result.plan.vary.map((range) => {
    const spec = axes.find(({ spec: { key } }) => key === range.key)?.spec;
    return spec === undefined ? undefined : { spec, range };
  });
  if (first === undefined || (result.plan.vary.length > 1 && second === undefined)) {
    return <Skeleton className="mx-4 my-2 h-80" />;
  }
  return (
    <div className={cn("transition-opacity", stale && "opacity-60")}>
      <div className="px-4 py-2">
        <MapHead />
        {second === undefined ? (
          <Curve result={result} axis={first} />
        ) : (
          <HeatMap result={result} first={first} second={second} />
        )}
        <CurrentLine result={result} />
      </div>
      <div className="border-t border-line px-4 py-3">
        <ParetoChart result={result} />
      </div>
      <PointsTable result={result} />
    </div>
  );
}

/** What the replay panel is set to, as far as it is a point of the sweep. */
function CurrentLine({ result }: { readonly result: SweepResult }) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const format = useFormat();
  const { isCurrent } = useSweepData();
  const point = result.points.find(isCurrent);
  return (
    <p className="pt-2 text-sm text-t2" aria-live="polite" data-testid="sweep-current">
      {point === undefined
        ? t("noneOpen")
        : t("open", {
            point: words.set(point.set),
            sent: format.sum(point.figures.tokensSent),
            kept: format.count(point.figures.keptTokens),
          })}
    </p>
  );
}
