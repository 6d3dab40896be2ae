"use client";

import { useTranslations } from "use-intl";
import { useRecorded } from "../state/recorded-data";
import { useRange } from "../state/view";
import { TimelineCaption } from "../timeline/caption";
import { CompareTable } from "./compare-table";
import { ComparisonProvider } from "./comparison";
import { DifferenceTable } from "./difference-table";
import { OverlayChart } from "./overlay-chart";
import { RunChips } from "./run-chips";

/** Two to six policies on this recording: lines, boundaries, figures. */
export function Compare({ table }: { readonly table: boolean }) {
  const t = useTranslations("compare");
  const [range] = useRange();
  const { hasUsage } = useRecorded();
  return (
    <ComparisonProvider>
      <div data-testid="compare" data-compare>
        <RunChips />
        <OverlayChart />
        <TimelineCaption range={range} />
        {table && <CompareTable />}
        <DifferenceTable />
        <p className="border-t border-line px-4 py-3 text-xs text-t3">
          {t("firstOrder")} {hasUsage ? t("estimates") : t("allEstimates")}
        </p>
      </div>
    </ComparisonProvider>
  );
}
