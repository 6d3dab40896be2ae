import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import {
  type CostPart,
  type CostParts,
  type CostSeries,
  type DrawnPart,
  PART_PAINT,
  sumOfParts,
} from "../shared/cost/series";
import { type CostDrawing, useCostAmount, useCostView } from "../shared/cost/use-cost";
import { CursorCard } from "../shared/timeline/cursor-parts";

const WIDTH = 300;

interface CostCardProps {
  readonly frame: Frame;
  readonly at: number;
  readonly drawing: CostDrawing;
  readonly simulated: CostSeries | undefined;
}

/** The cost parts and cache miss of the current request, recorded and simulated. On narrow screens the card lies across the chart. */
export function CostCard({ frame, at, drawing, simulated }: CostCardProps) {
  const t = useTranslations("cost");
  const [recorded, other] = [drawing.series[at], simulated?.[at]];
  return (
    <CursorCard frame={frame} at={at} width={WIDTH} testId="cost-card" className="max-w-full">
      <p className="mb-1 font-semibold">{t("breaks.at", { request: at })}</p>
      {recorded === undefined && other === undefined ? (
        <p className="text-t2">{t("chart.unknown")}</p>
      ) : (
        <Parts parts={drawing.parts} recorded={recorded} simulated={other} />
      )}
      <BreakLine drawing={drawing} at={at} />
    </CursorCard>
  );
}

interface PartsProps {
  readonly parts: readonly CostPart[];
  readonly recorded: CostParts | undefined;
  readonly simulated: CostParts | undefined;
}

function Parts({ parts, recorded, simulated }: PartsProps) {
  const t = useTranslations("cost");
  const amount = useCostAmount();
  const cell = (value: number | undefined) => <Value>{value === undefined ? null : amount(value)}</Value>;
  const called = simulated?.call ?? 0;
  return (
    <table className="w-full">
      {simulated !== undefined && (
        <thead>
          <tr className="text-sm text-t3 [&>th]:pb-1 [&>th]:font-normal">
            <td />
            <th scope="col" className="text-right">
              {t("compared.recorded")}
            </th>
            <th scope="col" className="pl-3 text-right text-accent italic">
              {t("chart.simulatedShort")}
            </th>
          </tr>
        </thead>
      )}
      <tbody>
        {[...parts, ...(called > 0 ? (["call"] as const) : [])].map((part) => (
          <tr key={part}>
            <th scope="row" className="text-left font-normal">
              <span className="flex items-center gap-2">
                <PartSwatch part={part} />
                {part === "call" ? t("chart.call") : t(`part.${part}`)}
              </span>
            </th>
            <td className="text-right">{part === "call" ? null : cell(recorded?.[part])}</td>
            {simulated !== undefined && <td className="pl-3 text-right text-accent">{cell(simulated[part])}</td>}
          </tr>
        ))}
        <tr className="border-t border-line font-semibold">
          <th scope="row" className="text-left">
            {t("compared.total")}
          </th>
          <td className="text-right">{cell(recorded && sumOfParts(recorded))}</td>
          {simulated !== undefined && <td className="pl-3 text-right text-accent">{cell(sumOfParts(simulated))}</td>}
        </tr>
      </tbody>
    </table>
  );
}

function BreakLine({ drawing, at }: { readonly drawing: CostDrawing; readonly at: number }) {
  const t = useTranslations("cost");
  const format = useFormat();
  const one = drawing.missAt.get(at);
  if (one === undefined || one.cause === "first") return null;
  return (
    <p className="mt-2 text-danger">
      {t("chart.broke", { cause: t(`cause.${one.cause}`), tokens: format.count(one.tokens) })}
    </p>
  );
}

interface CostLegendProps {
  readonly parts: readonly CostPart[];
  /** True if calls for summaries are drawn. */
  readonly hasCalls: boolean;
}

/** Meaning of the colours and marks. */
export function CostLegend({ parts, hasCalls }: CostLegendProps) {
  const t = useTranslations("cost");
  const [{ unit }] = useCostView();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-2 text-sm text-t2">
      {parts.map((part) => (
        <li key={part} className="flex items-center gap-1.5">
          <PartSwatch part={part} />
          {t(`part.${part}`)}
        </li>
      ))}
      {hasCalls && (
        <li className="flex items-center gap-1.5">
          <PartSwatch part="call" />
          {t("chart.call")}
        </li>
      )}
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" width="10" height="10" className="block">
          <path d="M1 1H9L5 8Z" className="fill-danger" />
        </svg>
        {t("chart.break")}
      </li>
      {unit === "tokens" && (
        <li className="flex items-center gap-1.5">
          <svg aria-hidden="true" width="16" height="10" className="block">
            <path d="M0 5H16" className="stroke-accent" strokeWidth="1.75" />
          </svg>
          {t("chart.simulated")}
        </li>
      )}
    </ul>
  );
}

function PartSwatch({ part }: { readonly part: DrawnPart }) {
  return (
    <svg aria-hidden="true" width="10" height="10" className="block shrink-0">
      <rect width="10" height="10" rx="2" fill={PART_PAINT[part]} className="stroke-line2" />
    </svg>
  );
}
