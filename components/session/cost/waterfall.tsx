import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { dollarsOf } from "@/lib/core/cost/money";
import { inputOf, recordedCost } from "@/lib/core/cost/recorded-cost";
import { RequestButton } from "../shared/cost/request-button";
import { type CostDrawing, useCostView, useMicroUsd } from "../shared/cost/use-cost";
import { type StepRow, stepRows, type WaterfallStep, waterfall } from "./misses-view";

interface WaterfallProps {
  readonly drawing: CostDrawing;
  readonly lowerBound: boolean;
}

/** The steps from an always warm cache to the actual cost: the cost of each cause of misses. Pressing a bar lists the requests in its sum. */
export function Waterfall({ drawing: { requests, misses }, lowerBound }: WaterfallProps) {
  const t = useTranslations("cost.waterfall");
  const [view] = useCostView();
  const open = openStep(view);
  const { cost } = recordedCost(requests);
  const steps = cost && misses && waterfall(misses, inputOf(cost), cost.output);
  const all = steps?.at(-1)?.amount ?? 0;
  return (
    <section aria-label={t("title")}>
      <h2 className="font-semibold">{t("title")}</h2>
      {steps === undefined ? (
        <p className="mt-1 text-sm text-t2">{t(cost === undefined ? "noPrice" : "noReads")}</p>
      ) : (
        <>
          <ul className="mt-1 flex flex-col" data-testid="waterfall">
            {steps.map((step) => (
              <Step key={step.id} step={step} all={all} lowerBound={lowerBound} />
            ))}
          </ul>
          {open !== null && misses !== undefined && steps.some(({ id }) => id === open) && (
            <StepRows key={open} step={open} rows={stepRows(open, requests, misses)} lowerBound={lowerBound} />
          )}
          <p className="mt-1 text-sm text-t3">{t("note")}</p>
        </>
      )}
    </section>
  );
}

/** The step with listed requests. */
function openStep({ cause, step }: ReturnType<typeof useCostView>[0]): WaterfallStep["id"] | null {
  return step ?? (cause === "first" ? null : cause);
}

interface StepProps {
  readonly step: WaterfallStep;
  readonly all: number;
  readonly lowerBound: boolean;
}

function Step({ step: { id, start, amount }, all, lowerBound }: StepProps) {
  const t = useTranslations("cost");
  const usd = useMicroUsd();
  const [view, update] = useCostView();
  const open = openStep(view) === id;
  const share = (value: number) => `${all === 0 ? 0 : (value / all) * 100}%`;
  const isCause = id !== "warm" && id !== "output" && id !== "total";
  const isBound = lowerBound && (id === "output" || id === "total");
  const toggle = isCause ? { cause: open ? null : id, step: null } : { step: open ? null : id, cause: null };
  return (
    <li
      data-step={id}
      className={cn(
        "grid min-h-7 grid-cols-[11rem_minmax(0,1fr)_5.5rem] items-center gap-x-2 text-sm max-md:grid-cols-[8.5rem_minmax(0,1fr)_5rem]",
        id === "total" && "border-t border-line font-semibold",
      )}
    >
      <button
        type="button"
        aria-pressed={open}
        onClick={() => void update(toggle)}
        className="rounded-sm text-left leading-tight underline decoration-line2 underline-offset-2 hover:decoration-t1 aria-pressed:font-semibold touch:min-h-10"
      >
        {isCause ? t(`cause.${id}`) : t(`waterfall.step.${id}`)}
      </button>
      <svg aria-hidden="true" width="100%" height="12" className="block">
        <rect
          x={share(start)}
          width={share(amount)}
          height="12"
          rx="1"
          className={isCause ? "fill-danger" : "fill-t2"}
        />
      </svg>
      <span className="text-right">{usd(amount, isBound)}</span>
    </li>
  );
}

/** Number of requests listed at first, and added by each press. */
const STEP = 10;

interface StepRowsProps {
  readonly step: WaterfallStep["id"];
  readonly rows: readonly StepRow[];
  readonly lowerBound: boolean;
}

/** The requests in the sum of a waterfall step, the most expensive first. */
function StepRows({ step, rows, lowerBound }: StepRowsProps) {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  const [shown, setShown] = useState(STEP);
  const isBound = lowerBound && (step === "output" || step === "total");
  return (
    <div className="mt-2 border-l-2 border-line pl-3" data-testid="step-rows">
      <ExportedTable
        caption={t("waterfall.rows", { count: rows.length })}
        captionClass="mb-1 text-left text-sm text-t2"
        rows={rows.slice(0, shown)}
        allRows={rows}
        rowKey={({ request }) => request}
        columns={[
          {
            head: t("breaks.request"),
            namesRow: true,
            cell: ({ request }) => <RequestButton request={request} />,
            value: ({ request }) => request,
          },
          {
            head: t("waterfall.tokens"),
            numeric: true,
            cell: ({ tokens }) => format.count(tokens),
            value: ({ tokens }) => tokens,
          },
          {
            head: t("waterfall.usd"),
            numeric: true,
            cell: ({ cost }) => usd(cost, isBound),
            value: ({ cost }) => (cost === undefined ? null : dollarsOf(cost)),
          },
        ]}
      />
      {rows.length > shown && (
        <Button variant="ghost" className="mt-1" onClick={() => setShown(shown + STEP)}>
          {t("breaks.more", { count: Math.min(STEP, rows.length - shown) })}
        </Button>
      )}
    </div>
  );
}
