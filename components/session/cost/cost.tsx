import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/status";
import type { Column } from "@/components/ui/table";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { CacheMiss, CacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf } from "@/lib/core/cost/money";
import { type BillLine, billView } from "../shared/cost/bill-view";
import { RequestButton } from "../shared/cost/request-button";
import {
  useCostDrawing,
  useCostView,
  useMicroUsd,
  useRecordedCost,
  useSimulatedDrawing,
} from "../shared/cost/use-cost";
import { useSession, useView } from "../shared/state/stores";
import { COST_UNITS, TTL_CHOICES } from "../shared/state/url-state";
import { CacheRule } from "./cache-rule";
import { Comparison } from "./comparison-table";
import { CostChart } from "./cost-chart";
import { causeLines, listedMisses } from "./misses-view";
import { MostExpensive } from "./most-expensive";
import { Total } from "./total";
import { WasteList } from "./waste-list";
import { Waterfall } from "./waterfall";
import { WhatIfs } from "./what-if";

/** Lines of the bill for requests that no replay has. */
const OUTSIDE_CHAIN: ReadonlySet<BillLine["name"]> = new Set(["passes", "branches", "compactions"]);

/** Cost tab: the session's cost by list prices, its cache misses, and the cost of the simulation. */
export function Cost({ table }: { readonly table: boolean }) {
  const t = useTranslations("cost");
  const { answer: session } = useSession("answer");
  const answer = useRecordedCost();
  const drawing = useCostDrawing();
  const simulated = useSimulatedDrawing();
  const view = billView(answer, session.bill);
  const total = <Total answer={answer} view={view} related={session.related} />;
  const providers = new Set(drawing.requests.map(({ entry }) => entry?.provider));
  // A captured stream may state only the sum of its requests.
  if (answer.requests === 0 && answer.bill.passes !== null) return total;
  if (answer.requests === 0) {
    return <Notice title={t("noUsage.title")} body={t("noUsage.body")} data-testid="cost-no-usage" />;
  }
  return (
    <div className="@container flex flex-col" data-testid="cost" data-session={session.id}>
      {total}
      <MostExpensive answer={answer} />
      <Choices sellsTtls={providers.has("anthropic") || (providers.has(undefined) ? undefined : false)} />
      <CostChart
        drawing={drawing}
        simulated={simulated}
        mostExpensive={answer.dearest.map(({ request }) => request)}
        table={table}
      />
      <div className="grid gap-x-8 gap-y-6 border-t border-line px-4 py-4 @5xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <MissesList misses={drawing.misses} />
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
      <WasteList />
      <p className="px-4 pb-4 text-sm text-t3">{t("note")}</p>
    </div>
  );
}

interface ChoicesProps {
  /** True if a provider of the session sells a choice of cache TTLs; `undefined` if unknown. */
  readonly sellsTtls: boolean | undefined;
}

/** Selects dollars or tokens, and the cache TTL. */
function Choices({ sellsTtls }: ChoicesProps) {
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
      {sellsTtls === true ? (
        <span className="flex items-center gap-2 text-sm text-t2">
          <span aria-hidden>{t("ttl.label")}</span>
          <ToggleGroup
            label={t("ttl.label")}
            value={ttl}
            options={TTL_CHOICES.map((one) => [one, t(`ttl.${one}`)])}
            onChange={(next) => void update({ ttl: next })}
          />
        </span>
      ) : (
        sellsTtls === false && <span className="text-sm text-t3">{t("ttl.notSold")}</span>
      )}
    </div>
  );
}

/** Number of cache misses listed at first, and added by each press. */
const STEP = 15;

/** A name in two lines if it is long. */
const NAME = "py-1 leading-tight whitespace-normal";

/** Cache misses: sums by cause, then the misses, the most expensive first. */
function MissesList({ misses }: { readonly misses: CacheMisses | undefined }) {
  const t = useTranslations("cost.breaks");
  const [{ cause }, update] = useCostView();
  const [shown, setShown] = useState(STEP);
  const words = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  const { pin } = useView("pin");
  if (misses === undefined) return <NoMisses text={t("notRecorded")} />;
  const causes = causeLines(misses);
  if (causes.length === 0) return <NoMisses text={t("none")} />;
  const listed = listedMisses(misses, causes.some((one) => one.cause === cause) ? cause : null);
  const amounts: readonly Column<Pick<CacheMiss, "tokens" | "cost">>[] = [
    {
      head: t("tokens"),
      numeric: true,
      headClass: "whitespace-normal",
      cell: ({ tokens }) => format.count(tokens),
      value: ({ tokens }) => tokens,
    },
    {
      head: t("usd"),
      numeric: true,
      headClass: "whitespace-normal",
      cell: ({ cost }) => <Value>{usd(cost)}</Value>,
      value: ({ cost }) => (cost === undefined ? null : dollarsOf(cost)),
    },
  ];
  return (
    <section aria-label={t("title")} className="min-w-0">
      <h2 className="font-semibold">{t("title")}</h2>
      <ExportedTable
        className="mt-1"
        data-testid="break-causes"
        caption={t("byCause")}
        rows={causes}
        rowKey={(line) => line.cause}
        rowProps={(line) => ({ "data-cause": line.cause })}
        columns={[
          {
            head: t("cause"),
            value: (line) => words(`cause.${line.cause}`),
            namesRow: true,
            cellClass: NAME,
            cell: (line) => (
              <button
                type="button"
                aria-pressed={line.cause === cause}
                title={words(`causeNote.${line.cause}`)}
                onClick={() => void update({ cause: line.cause === cause ? null : line.cause })}
                className="rounded-sm text-left underline decoration-line2 underline-offset-2 hover:decoration-t1 aria-pressed:font-semibold touch:min-h-10"
              >
                {words(`cause.${line.cause}`)}
              </button>
            ),
          },
          { head: t("count"), numeric: true, cell: ({ count }) => format.count(count), value: ({ count }) => count },
          ...amounts,
        ]}
      />
      <ExportedTable
        className="mt-4"
        data-testid="breaks"
        caption={t("mostExpensive", {
          count: listed.length,
          priced: listed.some(({ cost }) => cost !== undefined) ? "yes" : "no",
        })}
        captionClass="mb-1 text-left text-sm text-t2"
        name={t("title")}
        rows={listed.slice(0, shown)}
        allRows={listed}
        rowKey={({ request }) => request}
        rowProps={({ request }) => ({ "data-break": request, className: pin === request ? "bg-sunk" : "" })}
        columns={[
          {
            head: t("request"),
            namesRow: true,
            cellClass: NAME,
            cell: (one) => <MissedRequest one={one} />,
            value: ({ request }) => request,
          },
          {
            head: t("gap"),
            numeric: true,
            className: "max-md:hidden",
            cellClass: "whitespace-nowrap text-t2",
            cell: ({ gap }) => <Value>{Number.isNaN(gap) ? null : format.duration(Math.max(0, gap))}</Value>,
            value: ({ gap }) => (Number.isNaN(gap) ? null : Math.max(0, gap) / 1000),
            name: t("gapSeconds"),
          },
          ...amounts,
        ]}
      />
      {listed.length > shown && (
        <Button variant="ghost" className="mt-2" onClick={() => setShown(shown + STEP)}>
          {t("more", { count: Math.min(STEP, listed.length - shown) })}
        </Button>
      )}
    </section>
  );
}

function NoMisses({ text }: { readonly text: string }) {
  const t = useTranslations("cost.breaks");
  return (
    <section aria-label={t("title")}>
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="mt-1 text-sm text-t2">{text}</p>
    </section>
  );
}

/** The request of a cache miss, and its reason; pressing it points at the request. */
function MissedRequest({ one: { request, cause, reason } }: { readonly one: CacheMiss }) {
  const t = useTranslations("cost");
  return (
    <RequestButton request={request}>
      <span className="whitespace-normal text-t2">{reason ?? (cause === "first" ? null : t(`cause.${cause}`))}</span>
    </RequestButton>
  );
}
