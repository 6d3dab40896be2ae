import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { dollarsOf } from "@/lib/core/cost/money";
import type { StepRow, WaterfallStep } from "./breaks-view";
import { RequestButton } from "./request-button";
import { useMicroUsd } from "./use-usd";

/** How many requests are listed at first, and how many a press adds. */
const STEP = 10;

interface StepRowsProps {
  readonly step: WaterfallStep["id"];
  readonly rows: readonly StepRow[];
  readonly lowerBound: boolean;
}

/** The requests that a step of the waterfall is summed from, the dearest first. */
export function StepRows({ step, rows, lowerBound }: StepRowsProps) {
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
