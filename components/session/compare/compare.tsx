import { useTranslations } from "use-intl";
import { useRecorded } from "../state/recorded-data";
import { useView } from "../state/view";
import { TimelineCaption } from "../timeline/caption";
import { CompareTable } from "./compare-table";
import { ComparisonProvider, useComparison } from "./comparison";
import { DifferenceTable } from "./difference-table";
import { OverlayChart } from "./overlay-chart";
import { RunChips } from "./run-chips";

/** Compares two to six policies on this recording: lines, boundaries, figures. */
export function Compare({ table }: { readonly table: boolean }) {
  const { range } = useView();
  return (
    <ComparisonProvider>
      <div data-testid="compare" data-compare>
        <RunChips />
        <OverlayChart />
        <TimelineCaption range={range} />
        {table && <CompareTable />}
        <DifferenceTable />
        <FirstOrder />
      </div>
    </ComparisonProvider>
  );
}

/** What is true of every simulation, and which figures are estimates. A run that follows the recording throughout has no estimates. */
function FirstOrder() {
  const t = useTranslations("compare");
  const { hasUsage } = useRecorded();
  const { runs } = useComparison();
  const isEstimated = runs.some(({ basis }) => basis !== "recorded");
  return (
    <p className="border-t border-line px-4 py-3 text-xs text-t3">
      {t("firstOrder")} {!hasUsage ? t("allEstimates") : isEstimated && t("estimates")}
    </p>
  );
}
