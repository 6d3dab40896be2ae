import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { usePolicyWords } from "@/components/settings/use-words";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useReplay } from "../state/replay-data";
import { variable } from "./axes";
import { CountedRemarks } from "./counted-remarks";
import { SweepStatus } from "./map-head";
import { PointCharts } from "./point-charts";
import { Reuse } from "./reuse/reuse";
import { SeveralRecordings } from "./several/several-recordings";
import { SweepControls } from "./sweep-controls";
import { SweepDataProvider, useSweepData } from "./sweep-data";

/** Sweeps one or two settings of the replay panel's policy over a range. */
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
  const errorText = useErrorText();
  const { result, running, error } = useSweepData();
  return (
    <div data-testid="sweep" aria-busy={running}>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 pt-2">
        <h2 className="grow font-semibold">{t("title", { policy: words.policy(choice.policy) })}</h2>
        <SweepStatus />
      </div>
      <SweepControls />
      {error !== null && (
        <p role="alert" className="px-4 py-2 text-danger">
          {errorText(error)}
        </p>
      )}
      {result === undefined ? (
        running && <Skeleton className="mx-4 my-2 h-80" />
      ) : (
        // While the next sweep is running, the last result stays, in grey.
        <div className={cn("transition-opacity", running && "opacity-60")}>
          <CountedRemarks rows={result.points.map(({ counted }) => counted)} />
          <PointCharts shown={result} />
        </div>
      )}
      <Reuse />
      <SeveralRecordings />
      <p className="border-t border-line px-4 py-3 text-xs text-t3">{t("firstOrder")}</p>
    </div>
  );
}
