"use client";

import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { useCursor } from "../state/cursor";
import { PartSwatch } from "./cost-legend";
import { sumOfParts } from "./series";
import type { CostDrawing } from "./use-cost";
import { useCostAmount } from "./use-cost-amount";

const WIDTH = 260;
const GAP = 12;

interface CostCardProps {
  readonly frame: Frame;
  readonly drawing: CostDrawing;
}

/** The parts of the pointed request, and the break that it is. Flips at the edge; on narrow screens it lies across the chart. */
export function CostCard({ frame, drawing }: CostCardProps) {
  const t = useTranslations("cost");
  const { at, hover, pin } = useCursor();
  const amount = useCostAmount();
  if ((hover ?? pin) === null || at < frame.from || at >= frame.to) return null;
  const x = frame.x.px(at + 0.5);
  const left = x + GAP + WIDTH <= frame.width ? x + GAP : Math.max(0, x - GAP - WIDTH);
  const parts = drawing.series[at];
  return (
    <div
      data-testid="cost-card"
      className="floating pointer-events-none absolute top-1 z-20 max-w-full p-3 text-sm"
      style={{ left, width: WIDTH }}
    >
      <p className="mb-1 font-semibold">{t("breaks.at", { request: at })}</p>
      {parts === undefined ? (
        <p className="text-t2">{t("chart.unknown")}</p>
      ) : (
        <table className="w-full">
          <tbody>
            {drawing.parts.map((part) => (
              <tr key={part}>
                <th scope="row" className="flex items-center gap-2 text-left font-normal">
                  <PartSwatch part={part} />
                  {t(`part.${part}`)}
                </th>
                <td className="text-right">{amount(parts[part])}</td>
              </tr>
            ))}
            <tr className="border-t border-line font-semibold">
              <th scope="row" className="text-left">
                {t("compared.total")}
              </th>
              <td className="text-right">{amount(sumOfParts(parts))}</td>
            </tr>
          </tbody>
        </table>
      )}
      <BreakLine drawing={drawing} at={at} />
    </div>
  );
}

function BreakLine({ drawing, at }: { readonly drawing: CostDrawing; readonly at: number }) {
  const t = useTranslations("cost");
  const format = useFormat();
  const one = drawing.breakAt.get(at);
  if (one === undefined || one.cause === "first") return null;
  return (
    <p className="mt-2 text-danger">
      {t("chart.broke", { cause: t(`cause.${one.cause}`), tokens: format.count(one.tokens) })}
    </p>
  );
}
