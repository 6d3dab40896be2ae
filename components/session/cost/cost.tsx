import { useTranslations } from "use-intl";
import { Notice } from "@/components/ui/notice";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { useSession } from "../state/session-data";
import { COST_UNITS, LIFETIME_CHOICES } from "../state/url-state";
import { type BillLine, billView } from "./bill-view";
import { BreaksList } from "./breaks-list";
import { CacheRule } from "./cache-rule";
import { Comparison } from "./comparison-table";
import { CostChart } from "./cost-chart";
import { Dearest } from "./dearest";
import { Total } from "./total";
import { useCostDrawing, useCostView, useRecordedCost, useSimulatedDrawing } from "./use-cost";
import { Waterfall } from "./waterfall";
import { WhatIfs } from "./what-if";

/** Lines of the bill whose requests no replay has. */
const OUTSIDE_CHAIN: ReadonlySet<BillLine["name"]> = new Set(["passes", "branches", "compactions"]);

/** What the session cost by list prices, where its cache broke, and what the simulation would have cost. */
export function Cost({ table }: { readonly table: boolean }) {
  const t = useTranslations("cost");
  const { answer: session } = useSession();
  const answer = useRecordedCost();
  const drawing = useCostDrawing();
  const simulated = useSimulatedDrawing();
  const view = billView(answer, session.bill);
  const total = <Total answer={answer} view={view} related={session.related} />;
  const providers = new Set(drawing.requests.map(({ entry }) => entry?.provider));
  // Of a captured stream, the sum of requests may be known without any single one.
  if (answer.requests === 0 && answer.bill.passes !== null) return total;
  if (answer.requests === 0) {
    return <Notice title={t("noUsage.title")} body={t("noUsage.body")} data-testid="cost-no-usage" />;
  }
  return (
    <div className="@container flex flex-col" data-testid="cost" data-session={session.id}>
      {total}
      <Dearest answer={answer} />
      <Choices sellsLifetimes={providers.has("anthropic") || (providers.has(undefined) ? undefined : false)} />
      <CostChart
        drawing={drawing}
        simulated={simulated}
        dearest={answer.dearest.map(({ request }) => request)}
        table={table}
      />
      <div className="grid gap-x-8 gap-y-6 border-t border-line px-4 py-4 @5xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <BreaksList breaks={drawing.breaks} />
          <WhatIfs whatIf={answer.whatIf} priced={answer.costUsd.total !== null} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Comparison
            lowerBound={answer.costUsd.lowerBound === true}
            rule={answer.cacheRule}
            isChainOnly={view.lines.some(({ name }) => OUTSIDE_CHAIN.has(name))}
          />
          <Waterfall drawing={drawing} lowerBound={answer.costUsd.lowerBound === true} />
          <CacheRule rule={answer.cacheRule} />
        </div>
      </div>
      <p className="px-4 pb-4 text-xs text-t3">{t("note")}</p>
    </div>
  );
}

interface ChoicesProps {
  /** Whether a provider of the session sells a choice of cache lifetimes; `undefined` where that is not known. */
  readonly sellsLifetimes: boolean | undefined;
}

/** Selects dollars or tokens, and how long a cache keeps what is written to it. */
function Choices({ sellsLifetimes }: ChoicesProps) {
  const t = useTranslations("cost");
  const [{ unit, ttl }, update] = useCostView();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3">
      <ToggleGroup
        label={t("unit.label")}
        value={unit}
        options={COST_UNITS.map((one) => [one, t(`unit.${one}`)])}
        onChange={(next) => void update({ unit: next })}
      />
      {sellsLifetimes === true ? (
        <span className="flex items-center gap-2 text-sm text-t2">
          <span aria-hidden>{t("ttl.label")}</span>
          <ToggleGroup
            label={t("ttl.label")}
            value={ttl}
            options={LIFETIME_CHOICES.map((one) => [one, t(`ttl.${one}`)])}
            onChange={(next) => void update({ ttl: next })}
          />
        </span>
      ) : (
        sellsLifetimes === false && <span className="text-sm text-t3">{t("ttl.notSold")}</span>
      )}
    </div>
  );
}
