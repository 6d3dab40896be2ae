import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { Format } from "@/components/format/format";
import { atLeast, exactMetric, metricDifference } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { BandText, Value } from "@/components/format/value";
import type { TermId } from "@/components/glossary/explanation";
import { Term } from "@/components/glossary/term";
import { Button } from "@/components/ui/button";
import { KindChip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { isComparable } from "@/lib/core/compaction/counting";
import { isRefusal, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { windowToExceed } from "@/lib/core/context/window";
import type { Compared } from "@/lib/core/metrics/compared";
import { isComparableIn } from "@/lib/core/metrics/difference";
import type { Band, Change, MetricUnit } from "@/lib/core/metrics/metric";
import type { MetricKey } from "@/lib/core/metrics/registry";
import { RESULT_METRICS } from "@/lib/core/metrics/values";
import { costOutsideChain, inheritedPart } from "@/lib/queries/wire/own-cost";
import { useReplay, useSession } from "../shared/state/stores";
import { useOutcome } from "../shared/state/use-outcome";

function isInner(id: ResultRow["id"]): id is InnerRowId {
  return id === "ofThemCompactions" || id === "thrash";
}

/** The metrics of the policy next to those of the recording. */
export function Results() {
  const t = useTranslations("replay.results");
  const kind = useTranslations("common.kind");
  const format = useFormat();
  const { hasUsage, answer } = useSession("hasUsage", "answer");
  const { simulated, choice, threshold } = useReplay("simulated", "choice", "threshold");
  const { recording, replayed } = useOutcome();
  const window = windowToExceed(choice.window);
  const why = whyNoChange(recording, replayed);
  const inherited = inheritedPart(answer)?.requests ?? 0;
  const outside = costOutsideChain(answer);
  const refused = simulated.compactions.filter(isRefusal).length;
  const rows = resultRows(recording, replayed);
  const [isMore, setMore] = useState(false);
  const more = useId();
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Unfolded, the results scroll with the settings above them.
    if (isMore) block.current?.scrollIntoView({ block: "end" });
  }, [isMore]);
  const isDoubtful = replayed.basis === "calibrated" && (simulated.calibration?.doubts.length ?? 0) > 0;
  return (
    <div ref={block} data-unfolded={isMore || undefined} className="border-t border-line px-4 py-2">
      <table className="w-full border-collapse text-sm" data-testid="results">
        <caption className="sr-only">{t("title")}</caption>
        <thead>
          <tr className="[&>th]:pb-1">
            <td />
            <th scope="col" className="text-right">
              <KindChip
                kind={hasUsage ? "measured" : "estimated"}
                label={hasUsage ? kind("recorded") : kind("estimated")}
              />
            </th>
            <th scope="col" className="pl-2 text-right">
              <Term id="simulated">
                <KindChip kind="estimated" label={kind("simulated")} />
              </Term>
            </th>
            <th scope="col" className="text-right text-sm font-medium text-t3">
              {t("change")}
            </th>
          </tr>
        </thead>
        <tbody>
          <Rows rows={rows.filter(({ id }) => SHOWN_FIRST.has(id))} />
        </tbody>
        <tbody id={more} hidden={!isMore}>
          <Rows rows={rows.filter(({ id }) => !SHOWN_FIRST.has(id))} />
        </tbody>
      </table>
      <Button
        variant="ghost"
        aria-expanded={isMore}
        aria-controls={more}
        onClick={() => setMore(!isMore)}
        className="-ml-2"
      >
        <span aria-hidden className={cn("text-t3", isMore && "rotate-90")}>
          ›
        </span>
        {t("more")}
      </Button>
      {threshold !== undefined && threshold <= 0 && (
        <p className="mt-2 text-sm text-t2" data-testid="no-room">
          {t("noRoom", { window: format.count(window), limit: format.count(threshold) })}
        </p>
      )}
      {inherited > 0 && (
        <p className="mt-2 text-sm text-t2" data-testid="results-inherited">
          {t("inherited", { count: inherited })}
        </p>
      )}
      {outside !== null && (
        <p className="mt-2 text-sm text-t2" data-testid="results-beside">
          {t("besideChain", { count: outside.requests, usd: format.usd(outside.usd) })}
        </p>
      )}
      {refused > 0 && (
        <p className="mt-2 text-sm text-t2" data-testid="refused">
          {t("refused", { count: refused })}
        </p>
      )}
      {isDoubtful && (
        <p className="mt-2 text-sm text-t2" data-testid="results-doubt">
          {t("doubtful")}
        </p>
      )}
      {why !== undefined && (isMore || why === "otherBasis") && (
        <p className="mt-2 text-sm text-t2" data-testid="no-change">
          {t(why)}
        </p>
      )}
    </div>
  );
}

/** Rows that are shown before the list is expanded. */
const SHOWN_FIRST: ReadonlySet<ResultRow["id"]> = new Set([
  "compactions",
  "peak",
  "tokensSent",
  "costUsd",
  "neededAgain",
]);

function Rows({ rows }: { readonly rows: readonly ResultRow[] }) {
  const t = useTranslations("replay.results");
  const words = useTranslations("metrics");
  const format = useFormat();
  return rows.map((row) => (
    <tr key={row.id} data-result={row.id} className="h-6">
      <th
        scope="row"
        className={cn("text-left font-normal text-t2", isInner(row.id) && "pl-3")}
        title={isInner(row.id) ? t(`${row.id}Note`) : words(`note.${row.id}`)}
      >
        <ResultName id={row.id} />
      </th>
      <td className="text-right">
        <Amount row={row} side="recorded" />
      </td>
      <td className="pl-2 text-right font-semibold">
        <Amount row={row} side="simulated" />
      </td>
      <td className="pl-2 text-right text-t2">
        <Value>{change(format, row)}</Value>
      </td>
    </tr>
  ));
}

/** The metrics that the glossary explains. */
const EXPLAINED: Partial<Readonly<Record<ResultRow["id"], TermId>>> = {
  compactions: "boundary",
  tokensSent: "sent",
  tokensRewritten: "rewritten",
  keptTokens: "kept",
  neededAgain: "neededAgain",
};

function ResultName({ id }: Pick<ResultRow, "id">) {
  const t = useTranslations("replay.results");
  const words = useTranslations("metrics");
  const name = isInner(id) ? t(id) : words(`name.${id}`);
  const term = EXPLAINED[id];
  return term === undefined ? name : <Term id={term}>{name}</Term>;
}

interface AmountProps {
  readonly row: ResultRow;
  readonly side: "recorded" | "simulated";
}

function Amount({ row, side }: AmountProps) {
  const format = useFormat();
  const band = row.bands?.[side];
  const text = amount(format, row, row[side]);
  return (
    <>
      <Value exact={exact(format, row, row[side])}>{text === null ? null : atLeast(text, band)}</Value>
      <BandText metric={row} band={band} />
    </>
  );
}

/** Exact up to a million; above that short, with the exact value on hover. */
function amount(format: Format, row: ResultRow, value: number | null): string | null {
  if (value === null) return null;
  return value < 1_000_000 ? exactMetric(row, value, format) : format.sum(value);
}

function difference(format: Format, row: ResultRow, value: number): string {
  if (Math.abs(value) < 1_000_000) return metricDifference(row, value, format);
  return `${value < 0 ? "−" : "+"}${format.sum(Math.abs(value))}`;
}

function exact(format: Format, row: ResultRow, value: number | null): string | undefined {
  return value === null || value < 1_000_000 ? undefined : exactMetric(row, value, format);
}

function change(format: Format, row: ResultRow): string | null {
  if (row.recorded === null || row.simulated === null || row.change === "none") return null;
  if (row.change === "number") return difference(format, row, row.simulated - row.recorded);
  const share = changeShare(row);
  return share === null ? null : format.change(share, 1);
}

/** Parts of the number of compactions: boundaries that replaced the history, and compactions that thrash. */
type InnerRowId = "ofThemCompactions" | "thrash";

/** One row of the results: the recorded and the simulated value. `null` if unknown. */
interface ResultRow {
  /** A metric, or a part of the metric above. */
  readonly id: MetricKey | InnerRowId;
  readonly unit: MetricUnit;
  readonly recorded: number | null;
  readonly simulated: number | null;
  /** The ranges of the two values, if known. */
  readonly bands?: { readonly recorded: Band | undefined; readonly simulated: Band | undefined };
  /** Format of the difference: a number, or a share of the recorded value. `none` if the two are counted differently. */
  readonly change: Change | "none";
}

interface Side extends Omit<Compared, "calibration" | "isHindsight"> {
  readonly compactions: readonly Pick<SimulatedCompaction, "outcome" | "thrash">[];
}

/** True if a boundary replaced the history: a clearing or a failed attempt does not. */
function isCompaction({ outcome }: Side["compactions"][number]): boolean {
  return outcome === "summary" || outcome === "fallback";
}

function compactionsOf({ compactions }: Side): number {
  return compactions.filter(isCompaction).length;
}

/** Number of compactions that came too soon after another or kept too much. */
function thrashOf({ compactions }: Side): number {
  return compactions.filter((one) => isCompaction(one) && one.thrash).length;
}

/** The results of a replay next to the recording. */
export function resultRows(recorded: Side, simulated: Side): readonly ResultRow[] {
  return RESULT_METRICS.flatMap((metric): readonly ResultRow[] => {
    const { key: id, unit } = metric;
    const change = isComparableIn(metric, recorded, simulated) ? metric.change : "none";
    const bands = { recorded: recorded.bands[id], simulated: simulated.bands[id] };
    const [was, is] = [recorded.metrics[id], simulated.metrics[id]];
    if (metric.whereKnown === true && was === null && is === null) return [];
    const row: ResultRow = { id, unit, recorded: was, simulated: is, change, bands };
    return id === "compactions" ? [row, ...innerRows(recorded, simulated, change)] : [row];
  });
}

/** The numbers of compactions among the boundaries, and of compactions that thrash; each row only if it differs from the one above. */
function innerRows(recorded: Side, simulated: Side, change: ResultRow["change"]): readonly ResultRow[] {
  const [all, thrash] = [compactionsOf(simulated), thrashOf(simulated)];
  const inner = { unit: "count", change } as const;
  return [
    ...(all === simulated.compactions.length
      ? []
      : [{ ...inner, id: "ofThemCompactions", recorded: compactionsOf(recorded), simulated: all } as const]),
    ...(thrash === 0 ? [] : [{ ...inner, id: "thrash", recorded: null, simulated: thrash } as const]),
  ];
}

/** Reason for missing differences: `otherBasis` for all metrics, `rewrittenApart` for uncached tokens; `undefined` if none is missing. */
export function whyNoChange(recorded: Side, simulated: Side): "otherBasis" | "rewrittenApart" | undefined {
  if (!isComparable(recorded.basis, simulated.basis)) return "otherBasis";
  return recorded.uncachedByReads === simulated.uncachedByReads ? undefined : "rewrittenApart";
}

/** The difference as a share of the recorded value; `null` if either is absent. */
export function changeShare(row: Pick<ResultRow, "recorded" | "simulated">): number | null {
  const { recorded, simulated } = row;
  return recorded === null || simulated === null || recorded === 0 ? null : (simulated - recorded) / recorded;
}
