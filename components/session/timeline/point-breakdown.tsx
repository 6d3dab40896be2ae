import { ChevronDown, ChevronUp } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { bandPaint, Swatch } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { KindChip } from "@/components/ui/chip";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { pointedRequest } from "../shared/state/view";
import { Stepper } from "../shared/timeline/point-head";
import { type CardRow, cardRows, SummaryBandRow } from "./breakdown";

const SHOWN = 5;

/** The breakdown at the current request, below the chart on narrow screens: the five largest bands first, the rest folded. */
export function PointBreakdown() {
  const t = useTranslations("session");
  const kind = useTranslations("common.kind");
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const { summary, recorded } = useSession("summary", "recorded");
  const at = useView(pointedRequest);
  const { simulated } = useReplay("simulated");
  const rows = [...cardRows(recorded, simulated, at, summary.contextWindow.tokens)].sort(
    (a, b) => b.recorded - a.recorded,
  );
  const shown = open ? rows : rows.slice(0, SHOWN);
  const rest = rows.slice(SHOWN);
  const most = Math.max(1, ...rows.map((row) => row.recorded));
  const estimated = recorded.estimated[at] === 1;
  return (
    <section
      aria-label={t("card.title")}
      className="border-t border-line px-4 py-3 lg:hidden"
      data-testid="point-breakdown"
    >
      <div className="flex items-center justify-between">
        <h2 className="text-lg font-semibold">{t("timeline.request", { request: at })}</h2>
        <Stepper />
      </div>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            <th scope="col" className="text-left">
              <span className="sr-only">{t("card.category")}</span>
            </th>
            <td />
            <th scope="col" className="text-right">
              <KindChip
                kind={estimated ? "estimated" : "measured"}
                label={estimated ? kind("estimated") : kind("recorded")}
              />
            </th>
            <th scope="col" className="pl-2 text-right">
              <KindChip kind="estimated" label={kind("simulated")} />
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Line key={row.band.id} row={row} most={most} />
          ))}
          {rest.length > 0 && (
            <tr>
              <td colSpan={4}>
                <Button variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)} className="-ml-3">
                  {open ? t("card.fewer") : t("card.more", { count: rest.length })}
                  {open ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
                </Button>
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr className="h-8 border-t border-line font-semibold">
            <th scope="row" colSpan={2} className="text-left">
              {t("card.context")}
            </th>
            <td className="text-right">{format.count(recorded.context[at] ?? 0)}</td>
            <td className="pl-2 text-right text-accent">{format.count(simulated.context[at] ?? 0)}</td>
          </tr>
          <SummaryBandRow at={at} />
        </tfoot>
      </table>
    </section>
  );
}

function Line({ row, most }: { readonly row: CardRow; readonly most: number }) {
  const t = useTranslations("session.band");
  const format = useFormat();
  return (
    <tr className="h-7">
      <th scope="row" className="text-left font-normal">
        <span className="flex items-center gap-2">
          <Swatch band={row.band} />
          {t(row.band.id)}
        </span>
      </th>
      <td className="w-20">
        <svg aria-hidden="true" width="100%" height="6" className="block">
          <rect width={`${(row.recorded / most) * 100}%`} height="6" fill={bandPaint(row.band)} />
        </svg>
      </td>
      <td className="text-right">{format.count(row.recorded)}</td>
      <td className="pl-2 text-right text-accent">{format.count(row.simulated)}</td>
    </tr>
  );
}
