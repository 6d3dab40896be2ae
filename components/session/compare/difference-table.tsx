import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import type { TableData } from "@/components/export/table-data";
import type { Format } from "@/components/format/format";
import { atLeast, exactMetric, metricDifference } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { BandText, Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { ScrollRegion, TableHead } from "@/components/ui/table";
import { type Difference, isBest } from "@/lib/core/metrics/difference";
import type { Band, Metric } from "@/lib/core/metrics/metric";
import type { MetricKey } from "@/lib/core/metrics/registry";
import { COMPARED_METRICS, metricOf } from "@/lib/core/metrics/values";
import { RunLetter } from "../shared/runs/run-mark";
import { runStyle } from "../shared/runs/run-style";
import { useDoubtText } from "../shared/state/use-estimator-words";
import { useRunWords } from "./compared-runs";
import { useComparison } from "./comparison";

/** Columns that are shown on demand: with them, the table is wider than the screen. */
const SHOWN_ON_DEMAND: ReadonlySet<string> = new Set<MetricKey>([
  "summaryCallTokens",
  "keptTokens",
  "requestsOverWindow",
  "neededAgainTokens",
  "shortestCycle",
]);

/** Every metric of every run, and below it the difference to the base if the two are comparable. The best value of a column has a ring. */
export function DifferenceTable() {
  const t = useTranslations("compare.difference");
  const words = useTranslations("metrics");
  const { difference, runs } = useComparison();
  const [isMore, setMore] = useState(false);
  const isHidden = (metric: string) => !isMore && SHOWN_ON_DEMAND.has(metric);
  return (
    <div className="border-t border-line">
      <DifferenceHead isMore={isMore} onMore={setMore} />
      <ScrollRegion aria-label={t("title")} className="scroll-hint relative overflow-x-auto">
        <table className="w-full border-collapse text-base" data-testid="difference">
          <thead>
            <tr>
              <TableHead className="sticky left-0 bg-bg pl-4">{t("policy")}</TableHead>
              <TableHead numeric>{t("trigger")}</TableHead>
              {difference.map(({ metric }) => (
                <TableHead
                  key={metric}
                  numeric
                  hidden={isHidden(metric)}
                  title={words(`note.${metric}`)}
                  className="align-bottom whitespace-normal last:pr-4"
                >
                  {words(`name.${metric}`)}
                </TableHead>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((_, index) => (
              <RunRow key={runStyle(index).letter} index={index} isHidden={isHidden} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Remarks />
      <MetricNotes />
    </div>
  );
}

/** The meaning of the columns, and for each whether less or more is better. */
function MetricNotes() {
  const t = useTranslations("compare.difference");
  const words = useTranslations("metrics");
  return (
    <details className="border-t border-line px-4 py-2 text-sm">
      <summary className="w-fit cursor-pointer text-t2 hover:text-t1">{t("notes")}</summary>
      <dl className="grid max-w-280 gap-x-6 gap-y-1 pt-2 md:grid-cols-[max-content_1fr]">
        {COMPARED_METRICS.map(({ key, better }) => (
          <div key={key} className="contents">
            <dt className="font-medium">{words(`name.${key}`)}</dt>
            <dd className="text-t2">
              {words(`note.${key}`)} {better !== "neither" && <span className="text-t3">{t(`better.${better}`)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface DifferenceHeadProps {
  /** True if every column is shown. */
  readonly isMore: boolean;
  readonly onMore: (isMore: boolean) => void;
}

function DifferenceHead({ isMore, onMore }: DifferenceHeadProps) {
  const t = useTranslations("compare.difference");
  const words = useRunWords();
  const metrics = useTranslations("metrics.name");
  const note = useTranslations("compare");
  const { runs, base, setBase, difference } = useComparison();
  const table = (): TableData => ({
    heads: [
      t("policy"),
      t("preset"),
      t("trigger"),
      t("windowHead"),
      ...difference.map(({ metric }) => metrics(metric)),
    ],
    rows: runs.map((run, index) => [
      `${runStyle(index).letter} ${words.name(run)}`,
      words.variant(run) || null,
      run.trigger ?? null,
      run.window,
      ...difference.map(({ metric }) => run.metrics[metric]),
    ]),
  });
  const options = runs.map((run, index) => [String(index), `${runStyle(index).letter} ${words.name(run)}`] as const);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1">
      <h2 className="grow font-semibold">{t("title")}</h2>
      <Button
        variant="ghost"
        aria-pressed={isMore}
        onClick={() => onMore(!isMore)}
        className="aria-pressed:bg-sunk aria-pressed:text-t1"
      >
        {t("allColumns")}
      </Button>
      <span className="flex items-center gap-1.5 text-sm text-t2">
        <Ring /> {t("best")}
      </span>
      <span className="flex items-center gap-2 text-sm text-t2">
        <span aria-hidden>{t("against")}</span>
        <Choice
          label={t("base")}
          value={String(base)}
          options={options}
          onChange={(index) => setBase(Number(index))}
          className="w-40"
        />
      </span>
      <ExportMenu name={t("title")} note={note("firstOrder")} table={table} />
    </div>
  );
}

interface RunRowProps {
  readonly index: number;
  readonly isHidden: (metric: string) => boolean;
}

function RunRow({ index, isHidden }: RunRowProps) {
  const t = useTranslations("compare.difference");
  const hindsight = useTranslations("compare.runs")("hindsight");
  const words = useRunWords();
  const format = useFormat();
  const { runs, difference, base } = useComparison();
  const run = runs[index];
  if (run === undefined) return null;
  return (
    <tr className="border-t border-line" data-run={runStyle(index).letter}>
      <th scope="row" className="sticky left-0 bg-bg py-1.5 pr-2 pl-4 text-left font-normal">
        <span className="flex items-center gap-2">
          <RunLetter index={index} />
          <span className="min-w-0">
            <span className="block max-w-44 truncate">{words.name(run)}</span>
            <span className="block max-w-44 truncate text-sm text-t3 normal-nums" title={words.variant(run)}>
              {words.variant(run)}
            </span>
          </span>
        </span>
      </th>
      <td className="px-2 py-1.5 text-right align-top whitespace-nowrap" data-trigger={run.trigger}>
        {run.isHindsight ? (
          <span className="text-t2">{hindsight}</span>
        ) : (
          <Value>{run.trigger === undefined ? null : format.count(run.trigger)}</Value>
        )}
        <span className="block text-sm text-t3">
          {run.trigger === undefined
            ? t("window", { window: format.count(run.window) })
            : t("ofWindow", { share: format.percent(run.trigger / run.window), window: format.count(run.window) })}
        </span>
      </td>
      {difference.map((row) => (
        <MetricCell
          key={row.metric}
          row={row}
          hidden={isHidden(row.metric)}
          value={run.metrics[row.metric]}
          band={run.bands[row.metric]}
          index={index}
          base={base}
        />
      ))}
    </tr>
  );
}

interface MetricCellProps {
  readonly row: Difference;
  readonly hidden: boolean;
  /** The run's own metric, even if it cannot be compared. */
  readonly value: number | null;
  readonly band: Band | undefined;
  readonly index: number;
  readonly base: number;
}

function MetricCell({ row, hidden, value: metric, band, index, base }: MetricCellProps) {
  const t = useTranslations("compare.difference");
  const format = useFormat();
  const { runs } = useComparison();
  const best = isBest(row, index, (run) => runs[run]?.isHindsight === true);
  const baseMetric = row.apart.includes(index) ? null : (row.values[base] ?? null);
  const registered = metricOf(row.metric);
  const requests = (count: string) => t("requests", { count });
  const { value, exact, change } = metricText(registered, metric, baseMetric, format, requests, band);
  return (
    <td
      hidden={hidden}
      className="px-2 py-1.5 text-right align-top whitespace-nowrap last:pr-4"
      data-metric={row.metric}
      data-value={metric}
    >
      <span className={cn("flex items-center justify-end gap-1", best && "font-semibold")}>
        {best && <Ring />}
        {best && <span className="sr-only">{t("best")}</span>}
        <Value exact={exact}>{value}</Value>
      </span>
      <BandText metric={registered} band={band} />
      <span className="block text-sm text-t3">{index === base ? t("isBase") : (change ?? "–")}</span>
    </td>
  );
}

/** Marks the best value. */
function Ring() {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
      <circle cx="4" cy="4" r="2.75" className="fill-none stroke-t1" strokeWidth="1.5" />
    </svg>
  );
}

/** A metric as the table writes it. `null` if absent. */
interface MetricText {
  readonly value: string | null;
  /** The exact value, where `value` is shortened. */
  readonly exact?: string;
  /** Difference to the base; `null` if either is absent. */
  readonly change: string | null;
}

/** Formats for the metrics of a comparison. */
type ComparedMetric = Pick<Metric, "unit" | "shown">;

/**
 * Writes a metric and its difference to the base.
 * @param requests writes a number of requests
 */
export function metricText(
  metric: ComparedMetric,
  value: number | null,
  base: number | null,
  format: Format,
  requests: (count: string) => string,
  band?: Band,
): MetricText {
  if (value === null) return { value: null, change: null };
  const change = base === null ? null : changeText(metric, value, base, format);
  const exact = atLeast(exactMetric(metric, value, format), band);
  if (metric.unit === "requests") return { value: requests(exact), change };
  // Sums of tokens are large.
  const isLong = metric.unit === "tokens" && metric.shown.compare === "share";
  return isLong ? { value: format.sum(value), exact, change } : { value: exact, change };
}

function changeText(metric: ComparedMetric, value: number, base: number, format: Format): string | null {
  if (metric.shown.compare !== "share") return metricDifference(metric, value - base, format);
  if (value === base) return "±0";
  return base === 0 ? null : format.change((value - base) / base, 1);
}

/** Remarks on the comparison: that nothing differs, or which metrics are not compared, and why. */
function Remarks() {
  const t = useTranslations("compare.remark");
  const panel = useTranslations("replay.panel");
  const words = useRunWords();
  const format = useFormat();
  const doubtText = useDoubtText();
  const { runs, remarks } = useComparison();
  const failures = runs.flatMap(({ failure }) => failure ?? []);
  const lacking = runs.flatMap(({ lacksHindsightOptimum }, index) => (lacksHindsightOptimum === true ? [index] : []));
  if (remarks.length + failures.length + lacking.length === 0) return null;
  const names = (about: readonly number[]) =>
    format.list(
      about.flatMap((index) => {
        const run = runs[index];
        return run === undefined ? [] : [`${runStyle(index).letter} ${words.name(run)}`];
      }),
    );
  return (
    <ul className="max-w-180 px-4 py-2 text-sm text-t2" data-testid="remarks">
      {failures.map((sentence) => (
        <li key={sentence} data-remark="ownFailed" className="text-danger">
          {panel("ownFailed", { sentence })}
        </li>
      ))}
      {lacking.length > 0 && (
        <li data-remark="noHindsightOptimum" className="text-danger">
          {t("noHindsightOptimum", { runs: names(lacking) })}
        </li>
      )}
      {remarks.map(({ id, runs: about }) => (
        <li key={id} data-remark={id}>
          {t(id, { runs: names(about), doubt: doubtText(runs[about[0] ?? 0]?.calibration) ?? "" })}
        </li>
      ))}
    </ul>
  );
}
