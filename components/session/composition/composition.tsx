import { lazy, Suspense, useMemo } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { Skeleton } from "@/components/ui/skeleton";
import { heaviestItems } from "@/lib/core/metrics/items-at";
import { useContextAt } from "../contributors/use-context-at";
import { ItemList } from "../item-list";
import { PointHead } from "../point-head";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useView } from "../state/view";
import { AgentReport } from "./agent-report";
import { BaseChoice } from "./base-choice";
import { compositionRows } from "./composition-rows";
import { CompositionStrip } from "./composition-strip";
import { CompositionTable } from "./composition-table";
import { DifferenceView } from "./difference-view";
import { Levels } from "./levels";
import { OverheadDialog } from "./overhead-dialog";
import { OwnText } from "./own-text";
import { useBase } from "./use-base";
import { useViewedBreakdown } from "./use-viewed-breakdown";
import { ViewChoice } from "./view-choice";
import { WindowBar } from "./window-bar";

const LARGEST = 15;

/** Loaded apart, so that the first chart does not wait for it. */
const WindowTreemap = lazy(() =>
  import("../treemap/window-treemap").then((module) => ({ default: module.WindowTreemap })),
);

/** What fills the window at the pointed request: every category, free space and buffer. Together they sum to the window. */
export function Composition() {
  const t = useTranslations("session.composition");
  const { given } = useRecorded();
  const { context, request } = useContextAt();
  const { side } = useView();
  const { views, view, setView, breakdown, window, trigger, viewed } = useViewedBreakdown();
  const comparison = useBase();
  const chosen = comparison.base;
  const { at } = useCursor();
  // Of a request with itself there is no difference to show yet.
  const isSame = chosen?.side === side && chosen.request === at;
  const base = isSame ? undefined : chosen;
  // List and treemap show the same items with the same sizes.
  const items = useMemo(() => heaviestItems(context, request), [context, request]);
  const rows = useMemo(() => compositionRows(breakdown, window), [breakdown, window]);
  const foot = t(
    breakdown.total?.kind !== "recorded" ? "footEstimated" : given.source !== null ? "footGiven" : "footRecorded",
  );
  return (
    <div className="px-4 py-4">
      <BandDefs />
      <CompositionStrip base={comparison} />
      <PointHead
        tokens={breakdown.total?.tokens ?? null}
        window={window}
        kind={breakdown.total?.kind === "recorded" && side === "recorded" ? "measured" : "estimated"}
      />
      <div className="mt-3 mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ViewChoice views={views} view={view} onView={setView} />
        <OverheadDialog />
        <BaseChoice />
      </div>
      {isSame && (
        <p className="mb-2 text-sm text-t2" role="status" data-testid="same-request">
          {t("sameRequest", { request: at })}
        </p>
      )}
      <WindowBar rows={rows} window={window} trigger={trigger} />
      <Levels breakdown={breakdown} />
      {base !== undefined ? (
        <DifferenceView shown={{ side, request: at }} base={base} rows={rows} viewed={viewed} note={foot} />
      ) : (
        <div className="mt-4 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,44rem)_1fr]">
          <CompositionTable rows={rows} note={foot} />
          <div className="flex min-w-0 flex-col gap-6">
            <Suspense fallback={<Skeleton className="mt-8 h-90 md:h-110" />}>
              <WindowTreemap rows={rows} items={items} note={foot} />
            </Suspense>
            <div data-testid="largest">
              <ItemList title={t("largest")} items={items.slice(0, LARGEST)} />
            </div>
          </div>
        </div>
      )}
      <p className="mt-3 text-xs text-t3">{foot}</p>
      <OwnText view={view} breakdown={breakdown} window={window} />
      <AgentReport />
    </div>
  );
}
