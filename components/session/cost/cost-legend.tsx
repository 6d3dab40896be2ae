import { useTranslations } from "use-intl";
import { type CostPart, type DrawnPart, PART_PAINT } from "../shared/cost/series";
import { useCostView } from "../shared/cost/use-cost";

interface CostLegendProps {
  readonly parts: readonly CostPart[];
  /** Whether calls for summaries are drawn. */
  readonly hasCalls: boolean;
}

/** What the colours and marks mean. */
export function CostLegend({ parts, hasCalls }: CostLegendProps) {
  const t = useTranslations("cost");
  const [{ unit }] = useCostView();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-2 text-xs text-t2">
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

export function PartSwatch({ part }: { readonly part: DrawnPart }) {
  return (
    <svg aria-hidden="true" width="10" height="10" className="block shrink-0">
      <rect width="10" height="10" rx="2" fill={PART_PAINT[part]} className="stroke-line2" />
    </svg>
  );
}
