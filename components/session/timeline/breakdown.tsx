import { lazy, type ReactNode, Suspense } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { BANDS, type Band, type CategorySeries } from "@/components/charts/bands";
import { useFormat } from "@/components/format/use-format";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { shownWindow } from "../shared/state/replay-choice";
import { useReplay, useSession } from "../shared/state/stores";
import { useSummaryBand } from "../shared/timeline/use-marks";

const MissAtCursor = lazy(async () => ({ default: (await import("./beside-chart")).MissAtCursor }));

interface BreakdownProps {
  readonly at: number;
  readonly children?: ReactNode;
}

/** The context at one request by category, as recorded and as simulated. Loaded when a user first points at a request. */
export function Breakdown({ at, children }: BreakdownProps) {
  return (
    <>
      <CardHead at={at}>{children}</CardHead>
      <CardTable at={at} />
      <Suspense fallback={null}>
        <MissAtCursor at={at} />
      </Suspense>
    </>
  );
}

function CardHead({ at, children }: BreakdownProps) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { columns } = useSession("columns");
  const time = columns.requests.at[at] ?? Number.NaN;
  const turn = columns.turn[columns.requests.firstItem[at] ?? 0] ?? -1;
  return (
    <div className="mb-2 flex items-center gap-2">
      <span className="grow text-base font-semibold">{t("request", { request: at })}</span>
      <span className="text-sm text-t2">
        {Number.isNaN(time) ? null : format.time(time)}
        {turn >= 0 && ` · ${t("turn", { turn: turn + 1 })}`}
      </span>
      {children}
    </div>
  );
}

function CardTable({ at }: { readonly at: number }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { summary, recorded, ownTrigger } = useSession("summary", "recorded", "ownTrigger");
  const { simulated, threshold, choice } = useReplay("simulated", "threshold", "choice");
  const window = summary.contextWindow.tokens;
  const context = recorded.context[at] ?? 0;
  const replayed = simulated.context[at] ?? 0;
  const limit = ownTrigger?.tokens ?? window;
  const kind = recorded.estimated[at] === 1 ? t("kind.estimated") : t("kind.recorded");
  return (
    <table className="w-full border-collapse whitespace-nowrap">
      <thead>
        <tr className="text-sm text-t3 [&>th]:pb-1 [&>th]:font-normal">
          <th scope="col">
            <span className="sr-only">{t("card.category")}</span>
          </th>
          <th scope="col" className="text-right">
            {kind}
          </th>
          <th scope="col" className="pl-2 text-right">
            %
          </th>
          <th scope="col" className="pl-3 text-right text-accent italic">
            {t("kind.simulatedEstimate")}
          </th>
        </tr>
      </thead>
      <tbody>
        {cardRows(recorded, simulated, at, window).map((row) => (
          <tr key={row.band.id}>
            <th scope="row" className="flex items-center gap-2 text-left font-normal">
              <Swatch band={row.band} />
              {t(`band.${row.band.id}`)}
            </th>
            <td className="text-right">{format.count(row.recorded)}</td>
            <td className="pl-2 text-right text-t2">{(row.share * 100).toFixed(1)}</td>
            <td className="pl-3 text-right text-accent">{format.count(row.simulated)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-line font-semibold [&>*]:pt-1">
          <th scope="row" className="text-left">
            {t("card.context")}
          </th>
          <td className="text-right">{format.count(context)}</td>
          <td className="pl-2 text-right">{((context / window) * 100).toFixed(1)}</td>
          <td className="pl-3 text-right text-accent">{format.count(replayed)}</td>
        </tr>
        <SummaryBandRow at={at} />
        <tr className="text-t2">
          <th scope="row" className="text-left font-normal">
            {ownTrigger === undefined ? t("card.freeToWindow") : t("card.freeToTrigger")}
          </th>
          <td className="text-right">{format.count(Math.max(0, limit - context))}</td>
          <td className="pl-2 text-right">{((Math.max(0, limit - context) / window) * 100).toFixed(1)}</td>
          <td className="pl-3 text-right text-accent">
            {format.count(Math.max(0, (threshold ?? shownWindow(choice, summary)) - replayed))}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** One band at one request, as recorded and as simulated. */
export interface CardRow {
  readonly band: Band;
  readonly recorded: number;
  /** The recorded tokens as a share of the window. */
  readonly share: number;
  readonly simulated: number;
}

/** The bands with tokens at a request, recorded or simulated; the top of the stack comes first. */
export function cardRows(
  recorded: CategorySeries,
  simulated: CategorySeries,
  request: number,
  window: number,
): readonly CardRow[] {
  return BANDS.map((band): CardRow => {
    const tokens = bandAt(recorded, band, request);
    return {
      band,
      recorded: tokens,
      share: window > 0 ? tokens / window : 0,
      simulated: bandAt(simulated, band, request),
    };
  })
    .filter((row) => row.recorded !== 0 || row.simulated !== 0)
    .reverse();
}

/** A band's tokens at one request. */
function bandAt(series: CategorySeries, band: Band, request: number): number {
  if (band.id === "unattributed") return series.unattributed?.[request] ?? 0;
  return band.categories.reduce((sum, id) => sum + (series.byCategory[ITEM_CATEGORIES.indexOf(id)]?.[request] ?? 0), 0);
}

/**
 * The simulated context for the smallest and the largest sizes that a compaction may leave, if these differ. The row has four
 * cells.
 */
export function SummaryBandRow({ at }: { readonly at: number }) {
  const t = useTranslations("session.card");
  const format = useFormat();
  const band = useSummaryBand();
  const [low, high] = [band?.low[at] ?? 0, band?.high[at] ?? 0];
  if (low === high) return null;
  return (
    <tr className="text-t2">
      <th scope="row" colSpan={2} className="text-left font-normal">
        {t("summaryBand")}
      </th>
      <td colSpan={2} className="text-right whitespace-nowrap text-accent">
        {t("range", { low: format.count(low), high: format.count(high) })}
      </td>
    </tr>
  );
}
