import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { type Column, ScrollRegion } from "@/components/ui/table";
import type { FidelityMetricsWire, FidelityWire } from "@/lib/queries/contract/types";
import {
  FidelityBasis,
  METRICS,
  type Metric,
  type OwnPolicyRow,
  ownPolicyRows,
  PredictionText,
  useFidelity,
} from "../shared/boundaries/fidelity";
import { useDoubtText } from "../shared/state/use-estimator-words";

/** Score of the agent's own policy at predicting the recorded compactions, and the further compactions that it predicts. */
export function OwnPolicy() {
  const t = useTranslations("session.fidelity");
  const fidelity = useFidelity();
  const doubtText = useDoubtText();
  // A failed check is left out, so that the rest of the page stays.
  if (fidelity === undefined) return null;
  if (fidelity === null) {
    return (
      <section aria-labelledby="own-policy" className="mt-8" data-testid="own-policy">
        <h2 id="own-policy" className="text-lg font-semibold">
          {t("overview")}
        </h2>
        <p className="mt-2">{t("noPolicy")}</p>
      </section>
    );
  }
  const rows = ownPolicyRows(fidelity);
  const doubt = doubtText(fidelity.calibration ?? undefined);
  return (
    <section aria-labelledby="own-policy" className="mt-8" data-testid="own-policy">
      <h2 id="own-policy" className="text-lg font-semibold">
        {t("overview")}
      </h2>
      <FidelityBasis data={fidelity} />
      {doubt !== undefined && <p className="mt-1 max-w-180 text-sm text-t2">{doubt}</p>}
      {rows.length === 0 ? (
        <p className="mt-2">{t("nothing")}</p>
      ) : (
        <>
          <MetricTable fidelity={fidelity} />
          <RowTable rows={rows} />
          <p className="mt-2 max-w-180 text-sm text-t2">{t("note")}</p>
        </>
      )}
    </section>
  );
}

function MetricTable({ fidelity }: { readonly fidelity: FidelityWire }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const rows = METRICS.map((metric) => ({ metric, ...fidelity[metric] }));
  const bias = (error: FidelityMetricsWire["errorBefore"]) => (
    <Value>{error === null ? null : format.difference(error.bias)}</Value>
  );
  return (
    <ScrollRegion aria-label={t("overview")} className="scroll-hint mt-3 max-w-280 overflow-x-auto">
      <ExportedTable
        caption={t("overview")}
        rows={rows}
        rowKey={({ metric }) => metric}
        rowProps={({ metric }) => ({ "data-metric": metric })}
        columns={[
          {
            head: t("replayed"),
            namesRow: true,
            cellClass: "h-7 min-w-40 py-1 whitespace-normal",
            cell: ({ metric }) => t(metric),
            value: ({ metric }) => t(metric),
          },
          {
            head: t("met"),
            numeric: true,
            cell: ({ hits, withinError, misses }) => {
              const all = hits + withinError + misses;
              return all === 0 ? <Value>{null}</Value> : t("of", { hits, all });
            },
            value: ({ hits }) => hits,
          },
          {
            head: t("withinError"),
            numeric: true,
            cell: ({ withinError }) => format.count(withinError),
            value: ({ withinError }) => withinError,
          },
          {
            head: t("falseAlarms"),
            numeric: true,
            cell: ({ falseAlarms }) => format.count(falseAlarms),
            value: ({ falseAlarms }) => falseAlarms,
          },
          {
            head: t("errorBefore"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: ({ errorBefore }) => bias(errorBefore),
            value: ({ errorBefore }) => errorBefore?.bias ?? null,
          },
          {
            head: t("errorAfter"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: ({ errorAfter }) => bias(errorAfter),
            value: ({ errorAfter }) => errorAfter?.bias ?? null,
          },
        ]}
      />
    </ScrollRegion>
  );
}

/** Every recorded compaction and every false alarm. Metrics that a false alarm lacks stay empty. */
function RowTable({ rows }: { readonly rows: readonly OwnPolicyRow[] }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const whatOf = (row: OwnPolicyRow): string =>
    row.kind === "recorded" ? t("recorded") : t(row.prediction.withinError ? "alarmWithinError" : "falseAlarm");
  return (
    <ScrollRegion aria-label={t("each")} className="scroll-hint mt-4 max-w-280 overflow-x-auto">
      <ExportedTable
        caption={t("each")}
        rows={rows}
        rowKey={(row) => `${row.kind} ${row.request} ${row.kind === "alarm" ? row.metric : ""}`}
        rowProps={({ kind }) => ({ "data-own-policy": kind, className: "[&>*]:py-1 [&>*]:align-top" })}
        columns={[
          {
            head: t("request"),
            numeric: true,
            namesRow: true,
            cell: ({ request }) => request,
            value: ({ request }) => request,
          },
          {
            head: t("what"),
            cellClass: "whitespace-nowrap",
            cell: whatOf,
            value: whatOf,
          },
          {
            head: t("lastSent"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: (row) => row.kind === "recorded" && <LastSent row={row} />,
            value: (row) => (row.kind === "recorded" ? row.boundary.lastRecorded : null),
          },
          {
            head: t("after"),
            numeric: true,
            cell: (row) => {
              if (row.kind === "alarm") return null;
              const { tokensAfter } = row.boundary;
              return <Value>{tokensAfter === null ? null : format.count(tokensAfter)}</Value>;
            },
            value: (row) => (row.kind === "recorded" ? row.boundary.tokensAfter : null),
          },
          ...METRICS.map((metric): Column<OwnPolicyRow> => {
            return {
              head: t(metric),
              cellProps: ({ kind }) => ({ className: kind === "recorded" ? "min-w-48" : "" }),
              cell: (row) => <Predicted row={row} metric={metric} />,
            };
          }),
        ]}
      />
    </ScrollRegion>
  );
}

/** Tokens sent by the request before the compaction, and their share of the policy's limit. */
function LastSent({ row }: { readonly row: Extract<OwnPolicyRow, { kind: "recorded" }> }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const { lastRecorded } = row.boundary;
  if (lastRecorded === null) return <Value>{null}</Value>;
  const tokens = format.count(lastRecorded);
  return row.ofLimit === null ? tokens : t("ofLimit", { tokens, share: format.percent(row.ofLimit, 1) });
}

/** The cells of a row for one kind of check: for a recorded compaction whether it was predicted, for a false alarm its sizes. */
function Predicted({ row, metric }: { readonly row: OwnPolicyRow; readonly metric: Metric }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  if (row.kind === "recorded") return <PredictionText boundary={row.boundary} metric={metric} />;
  const { tokensBefore, tokensAfter } = row.prediction;
  return row.metric === metric && t("alarm", { before: format.count(tokensBefore), after: format.count(tokensAfter) });
}
