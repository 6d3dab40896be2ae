import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import { usePolicyWords } from "@/components/settings/use-words";
import { Skeleton } from "@/components/ui/skeleton";
import { sweepFront } from "@/lib/questions/replays/sweep";
import { useReplay } from "../state/replay-data";
import { Curve } from "./curve";
import { HeatMap } from "./heat-map";
import { MapHead } from "./map-head";
import { ParetoChart } from "./pareto-chart";
import { PointReadout } from "./point-readout";
import { PointedProvider } from "./pointed";
import type { ShownPoints } from "./points";
import { PointsTable } from "./points-table";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

interface PointChartsProps {
  readonly shown: ShownPoints;
  /** What the points belong to, where the page shows other points as well. */
  readonly label?: string;
  /** Prefix of these charts' test ids. */
  readonly testId?: string;
}

/** Points as a map or a curve, as sent against kept, and as a table. Pointing at a point highlights it in all of them. */
export function PointCharts({ shown: given, label, testId = "" }: PointChartsProps) {
  const { axes, spent, metric } = useSweepData();
  const t = useTranslations("sweep");
  const words = useSweepWords();
  const policy = usePolicyWords();
  const { choice } = useReplay();
  const map = useRef<HTMLDivElement>(null);
  const pareto = useRef<HTMLDivElement>(null);
  const note = `${t("title", { policy: `${policy.policy(choice.policy)} · ${policy.preset(choice.preset)}` })}. ${words.metric(metric)}. ${t("firstOrder")}`;
  const shown = useMemo(() => ({ ...given, spent, front: sweepFront(given.points, spent) }), [given, spent]);
  // The points may still be those of the previous axes, so the axes are taken from the points' own ranges.
  const [first, second] = shown.vary.map((range) => {
    const spec = axes.find(({ spec: { key } }) => key === range.key)?.spec;
    return spec === undefined ? undefined : { spec, range };
  });
  if (first === undefined || (shown.vary.length > 1 && second === undefined)) {
    return <Skeleton className="mx-4 my-2 h-80" />;
  }
  return (
    <PointedProvider>
      <div className="px-4 py-2" ref={map}>
        <MapHead shown={shown}>
          <ExportMenu name={t("map.title")} note={note} picture={map} />
        </MapHead>
        {second === undefined ? (
          <Curve shown={shown} axis={first} testId={testId} />
        ) : (
          <HeatMap shown={shown} first={first} second={second} testId={testId} />
        )}
        <PointReadout shown={shown} />
      </div>
      <div className="relative border-t border-line px-4 py-3" ref={pareto}>
        <ParetoChart shown={shown} testId={testId} />
        <span className="flex justify-end">
          <ExportMenu name={t("pareto.title", { spent: words.metric(spent) })} note={note} picture={pareto} />
        </span>
      </div>
      <PointsTable result={shown} testId={`${testId}points-table`} {...(label !== undefined && { label })} />
    </PointedProvider>
  );
}
