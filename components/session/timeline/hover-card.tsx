import { Pin } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { CursorCard, usePointed } from "../cursor-parts";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { shownWindow } from "../state/shown-window";
import { cardRows } from "./card-rows";
import { isNarrow } from "./geometry";
import { SummaryBandRow } from "./summary-band-row";

const BreakAtCursor = lazy(async () => ({ default: (await import("../cost/timeline-marks")).BreakAtCursor }));

const WIDTH = 356;

/** The breakdown at the pointed request, beside the cursor. Narrow screens show it below instead. */
export function HoverCard({ frame }: { readonly frame: Frame }) {
  const { pin } = useCursor();
  const at = usePointed(frame);
  if (at === null || isNarrow(frame)) return null;
  return (
    <CursorCard frame={frame} at={at} width={WIDTH} testId="hover-card">
      <CardHead pinned={pin === at} />
      <CardTable />
      <Suspense fallback={null}>
        <BreakAtCursor />
      </Suspense>
    </CursorCard>
  );
}

function CardHead({ pinned }: { readonly pinned: boolean }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { at } = useCursor();
  const { columns } = useSession();
  const time = columns.requests.at[at] ?? Number.NaN;
  const turn = columns.turn[columns.requests.firstItem[at] ?? 0] ?? -1;
  return (
    <div className="mb-2 flex items-center gap-2">
      <span className="grow text-base font-semibold">{t("request", { request: at })}</span>
      <span className="text-xs text-t2">
        {Number.isNaN(time) ? null : format.time(time)}
        {turn >= 0 && ` · ${t("turn", { turn: turn + 1 })}`}
      </span>
      <Pin aria-hidden className={cn("size-3.5 text-t3", pinned && "fill-t1 text-t1")} />
    </div>
  );
}

function CardTable() {
  const t = useTranslations("session");
  const format = useFormat();
  const { at } = useCursor();
  const { summary } = useSession();
  const { recorded, ownTrigger } = useRecorded();
  const { simulated, threshold, choice } = useReplay();
  const window = summary.contextWindow.tokens;
  const context = recorded.context[at] ?? 0;
  const replayed = simulated.context[at] ?? 0;
  const limit = ownTrigger?.tokens ?? window;
  const kind = recorded.estimated[at] === 1 ? t("kind.estimated") : t("kind.recorded");
  return (
    <table className="w-full border-collapse whitespace-nowrap">
      <thead>
        <tr className="text-xs text-t3 [&>th]:pb-1 [&>th]:font-normal">
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
        <SummaryBandRow />
        <tr className="text-t2">
          <th scope="row" className="text-left font-normal">
            {ownTrigger === undefined ? t("card.freeToWindow") : t("card.freeToTrigger")}
          </th>
          <td className="text-right">{format.count(Math.max(0, limit - context))}</td>
          <td className="pl-2 text-right">{((Math.max(0, limit - context) / window) * 100).toFixed(1)}</td>
          <td className="pl-3 text-right text-accent">
            {format.count(Math.max(0, (threshold ?? shownWindow(choice, summary).tokens) - replayed))}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
