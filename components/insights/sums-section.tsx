import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { UnpricedModels } from "@/components/format/unpriced-models";
import { Button } from "@/components/ui/button";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { FACETS, type Facet } from "@/lib/api/facet-keys";
import type { InsightsAnswer } from "@/lib/api/types";
import { GroupChart } from "./group-chart";
import { CHARTS, drawnGroups } from "./group-view";
import { GroupsTable } from "./groups-table";

interface SumsSectionProps {
  readonly insights: InsightsAnswer;
  readonly onBy: (by: Facet) => void;
}

/** Small multiples of what was recorded, by day, project, agent, model or version; the table has their numbers. */
export function SumsSection({ insights: { by, groups, total }, onBy }: SumsSectionProps) {
  const t = useTranslations("insights.sums");
  const [isTable, setTable] = useState(false);
  const drawn = useMemo(() => drawnGroups(groups, by), [groups, by]);
  return (
    <section aria-labelledby="insights-sums" className="border-b border-line px-4 py-4" data-testid="sums">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
        <h2 id="insights-sums" className="text-base font-semibold">
          {t("title")}
        </h2>
        <ToggleGroup
          label={t("by")}
          value={by}
          options={FACETS.map((one) => [one, t(`facet.${one}`)] as const)}
          onChange={onBy}
          className="max-w-full overflow-x-auto"
        />
        <Button variant="ghost" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? "tableHide" : "table")}
        </Button>
      </div>
      <p className="pb-2 text-sm text-t2">
        {t("lead")}
        {groups.length > drawn.length && ` ${t("mostFrequent", { count: drawn.length })}`}
        {total.lowerBounds > 0 && ` ${t("lowerBounds", { count: total.lowerBounds })}`}
        {total.unpriced > 0 && ` ${t("unpriced", { count: total.unpriced })}`}
      </p>
      <UnpricedModels models={total.unpricedModels ?? []} className="pb-2 text-sm text-t2" />
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {CHARTS.map((chart) => (
          <GroupChart key={chart} chart={chart} by={by} groups={drawn} />
        ))}
      </div>
      {isTable && <GroupsTable by={by} groups={groups} />}
    </section>
  );
}
