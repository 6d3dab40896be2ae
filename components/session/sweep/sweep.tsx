import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { RangeFields } from "@/components/settings/range-fields";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { Notice, Skeleton } from "@/components/ui/status";
import type { VaryRange } from "@/lib/core/analysis/grid";
import { metricOf } from "@/lib/core/metrics/values";
import { SettingToPaste } from "../shared/runs/setting-to-paste";
import { withSettings } from "../shared/state/replay-choice";
import { useReplay } from "../shared/state/stores";
import { type Axis, defaultRange, MAX_VALUES, offered, rangeProblem, variable } from "./axes";
import { CountedRemarks } from "./counted-remarks";
import { SweepStatus } from "./map-head";
import { PointCharts } from "./point-charts";
import type { ShownPoint } from "./points";
import { Reuse } from "./reuse";
import { SeveralRecordings } from "./several-recordings";
import { SweepDataProvider, useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

/** Sweep tab: one or two settings of the replay panel's policy over a range. */
export function Sweep() {
  const t = useTranslations("sweep");
  const { choice } = useReplay("choice");
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
  const { choice } = useReplay("choice");
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
        // During the next sweep the last result stays, in grey.
        <div className={cn("transition-opacity", running && "opacity-60")}>
          <CountedRemarks rows={result.points.map(({ counted }) => counted)} />
          <PointCharts shown={result} />
          <ToPaste points={result.points} />
        </div>
      )}
      <Reuse />
      <SeveralRecordings />
      <p className="border-t border-line px-4 py-3 text-sm text-t3">{t("firstOrder")}</p>
    </div>
  );
}

/** The lines to paste for the point with the best value of the shown metric, and for the replay panel if it is set to another point. */
function ToPaste({ points }: { readonly points: readonly ShownPoint[] }) {
  const t = useTranslations("sweep.paste");
  const words = useSweepWords();
  const { choice } = useReplay("choice");
  const { metric: key, isCurrent } = useSweepData();
  const better = metricOf(key)?.better;
  const known = points.filter(({ metrics }) => metrics[key] !== null);
  const sorted = known.toSorted(({ metrics: a }, { metrics: b }) => (a[key] ?? 0) - (b[key] ?? 0));
  const best = better === "neither" ? undefined : sorted.at(better === "higher" ? -1 : 0);
  const isBest = best !== undefined && isCurrent(best);
  return (
    <div className="space-y-1 px-4 py-2 text-sm">
      {best !== undefined && (
        <SettingToPaste
          settings={withSettings(choice, { ...choice.settings, ...best.set }).settings}
          label={t("best", {
            count: known.length,
            metric: words.metric(key),
            value: words.metricValue(key, best.metrics[key], best.bands[key]),
            point: words.set(best.set),
            is: better === "higher" ? "highest" : "lowest",
          })}
        />
      )}
      {!isBest && <SettingToPaste label={t("panel")} />}
    </div>
  );
}

/** Stands for "no second setting" in the select field. */
const NOTHING = "-";

/** Selects the varied settings and their ranges. */
function SweepControls() {
  const t = useTranslations("sweep.controls");
  const { axes, setRanges } = useSweepData();
  const [first, second] = axes;
  if (first === undefined) return null;
  const ranges = (...next: readonly (VaryRange | undefined)[]) => setRanges(next.filter((one) => one !== undefined));
  return (
    <fieldset className="grid gap-x-6 gap-y-1 px-4 py-2 xl:grid-cols-2">
      <legend className="sr-only">{t("title")}</legend>
      <AxisControl
        label={t("first")}
        axis={first}
        taken={second?.spec.key}
        onRange={(range) => range !== undefined && ranges(range, second?.range)}
      />
      <AxisControl
        label={t("second")}
        axis={second}
        taken={first.spec.key}
        optional
        onRange={(range) => ranges(first.range, range)}
      />
    </fieldset>
  );
}

interface AxisControlProps {
  readonly label: string;
  readonly axis: Axis | undefined;
  /** Key of the setting on the other axis. */
  readonly taken: string | undefined;
  readonly optional?: boolean;
  readonly onRange: (range: VaryRange | undefined) => void;
}

function AxisControl({ label, axis, taken, optional = false, onRange }: AxisControlProps) {
  const t = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const { choice } = useReplay("choice");
  const specs = offered(choice, taken, axis?.spec.key).filter(({ key }) => key !== taken);
  const options = specs.map((spec) => [spec.key, words.setting(spec)] as const);
  const problem = axis === undefined ? undefined : rangeProblem(axis);
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <Choice
          label={label}
          value={axis?.spec.key ?? NOTHING}
          options={optional ? [[NOTHING, t("nothing")], ...options] : options}
          onChange={(key) => {
            const spec = specs.find((one) => one.key === key);
            onRange(spec === undefined ? undefined : defaultRange(spec));
          }}
          className="w-44"
        />
        {axis !== undefined && <RangeFields {...axis} onRange={onRange} />}
      </div>
      {problem !== undefined && (
        <p role="alert" className="pt-1 text-sm text-danger">
          {t(`problem.${problem}`, { most: MAX_VALUES })}
        </p>
      )}
    </div>
  );
}
