import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { DOUBTED } from "@/lib/core/context/calibration";
import { ask, isServed } from "@/lib/queries/client/client";
import type { AccuracyRow } from "@/lib/queries/contract/types";
import { useSession } from "../shared/state/stores";
import { useDoubtText, useEstimatorName } from "../shared/state/use-estimator-words";
import { OwnPolicy } from "./own-policy";
import { RefetchScore } from "./refetch-score";

/**
 * Accuracy tab: how far every estimator is from the recorded usage. Estimators that need only sizes come with the session; the
 * server counts with the others once, when this tab is first opened.
 */
export function Accuracy() {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { id, summary } = useSession("id", "summary");
  const known = summary.accuracy ?? null;
  const all = useQuery({
    queryKey: ["session", id, "accuracy"],
    // First counts with every estimator that has not counted the session yet.
    queryFn: async ({ signal }) =>
      (await ask("session", { id, search: { accuracy: "all" } }, signal)).summary.accuracy ?? null,
    enabled: known !== null && isServed(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const rows = all.data ?? known;
  const lines = useMemo(() => accuracyLines(rows ?? []), [rows]);
  const first = rows?.[0];
  if (first === undefined) {
    return (
      <div className="px-4 py-4">
        <h2 className="text-lg font-semibold">{t("noneTitle")}</h2>
        <p className="mt-1 max-w-180 text-t2">{t("noneBody")}</p>
        <OwnPolicy />
        <RefetchScore />
      </div>
    );
  }
  return (
    <div className="px-4 py-4">
      <h2 className="text-lg font-semibold">{t("title")}</h2>
      <Basis row={first} />
      <AccuracyTable lines={lines} />
      <div aria-live="polite" className="mt-3 min-h-6 text-sm text-t2">
        {!isServed() ? t("notHere") : all.isPending && t("counting")}
        {all.isError && <Failed error={all.error} onRetry={() => void all.refetch()} />}
      </div>
      <ul className="mt-1 max-w-180 list-disc pl-4 text-sm text-t2">
        <li>{t("noteTokenizer")}</li>
        <li>{t("noteTrigger")}</li>
        <li>{t("noteCalibration")}</li>
        <li>
          {t("noteDoubt", {
            from: DOUBTED.factorBelow,
            to: DOUBTED.factorAbove,
            most: format.percent(DOUBTED.errorAbove),
          })}
        </li>
      </ul>
      <OwnPolicy />
      <RefetchScore />
    </div>
  );
}

/** The compared requests, and the trigger that the shift refers to. */
function Basis({ row: { pairs, trigger } }: { readonly row: AccuracyRow }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { ownTrigger } = useSession("ownTrigger");
  const threshold = trigger === null ? "" : format.count(trigger.threshold);
  return (
    <p className="mt-1 mb-3 max-w-180 normal-nums text-t2">
      {t("basis", { pairs })}{" "}
      {trigger !== null &&
        (trigger.recorded === null
          ? t("notReachedBasis", { threshold, preset: ownTrigger?.preset ?? "" })
          : t("reachedBasis", { threshold, preset: ownTrigger?.preset ?? "", request: trigger.recorded }))}
    </p>
  );
}

function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useTranslations("session.accuracy");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  return (
    <span role="alert" className="flex flex-wrap items-center gap-2 text-danger">
      {t("failed")} {errorText(error)}
      <Button onClick={onRetry}>{action("retry")}</Button>
    </span>
  );
}

/** The table of estimators, the most accurate first. */
function AccuracyTable({ lines }: { readonly lines: readonly AccuracyLine[] }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { counted } = useSession("counted");
  const nameOf = useEstimatorName();
  return (
    <ExportedTable
      className="max-w-280"
      data-testid="accuracy"
      caption={t("title")}
      rows={lines}
      rowKey={({ estimator }) => estimator}
      rowProps={({ estimator }) => ({ "data-estimator": estimator })}
      columns={[
        {
          head: t("estimator"),
          value: ({ estimator }) => nameOf(estimator),
          namesRow: true,
          cellClass: "h-7 whitespace-normal normal-nums",
          cell: ({ estimator }) => (
            <span className="flex flex-wrap items-center gap-x-2">
              {nameOf(estimator)}
              {counted.estimator === estimator && <Chip>{t("inForce")}</Chip>}
            </span>
          ),
        },
        {
          head: t("tokenizer"),
          className: "max-md:hidden",
          cellClass: "text-t2",
          cell: ({ tokenizer }) => t(`tokenizerOf.${tokenizer}`),
          value: ({ tokenizer }) => t(`tokenizerOf.${tokenizer}`),
        },
        {
          head: <span className="sr-only">{t("bar")}</span>,
          className: "max-lg:hidden",
          cellClass: "w-40",
          cell: (line) => <BiasBar line={line} />,
        },
        {
          head: t("bias"),
          numeric: true,
          cellClass: "font-semibold whitespace-nowrap",
          cell: ({ bias }) => format.change(bias, 1),
          value: ({ bias }) => bias,
        },
        {
          head: t("error"),
          numeric: true,
          cellClass: "whitespace-nowrap",
          cell: ({ mape }) => format.percent(mape, 1),
          value: ({ mape }) => mape,
        },
        {
          head: t("context"),
          numeric: true,
          className: "max-md:hidden",
          cellClass: "whitespace-nowrap text-t2",
          cell: ({ context }) => format.change(context.bias, 1),
          value: ({ context }) => context.bias,
        },
        {
          head: t("trigger"),
          numeric: true,
          cellClass: "text-t2",
          cell: (line) => <Shift line={line} />,
          value: ({ triggerShift }) => triggerShift,
        },
        {
          head: t("calibration"),
          numeric: true,
          className: "max-md:hidden",
          cellClass: "whitespace-nowrap text-t2",
          cell: (line) => <Fitted line={line} />,
          value: ({ calibration }) => calibration?.factor ?? null,
        },
      ]}
    />
  );
}

function Shift({ line: { triggered, triggerShift } }: { readonly line: AccuracyLine }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  if (triggered === "unknown" || triggered === "notReached") return <Value>{null}</Value>;
  if (triggered === "neverFires" || triggerShift === null) return t("neverFires");
  return format.difference(triggerShift);
}

function Fitted({ line: { calibration } }: { readonly line: AccuracyLine }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const doubtText = useDoubtText();
  if (calibration === null) return <Value>{null}</Value>;
  const fitted = t("fitted", {
    factor: calibration.factor.toFixed(2),
    error: format.percent(calibration.outOfSampleError, 1),
  });
  if (calibration.doubts.length === 0) return fitted;
  return (
    <span title={doubtText(calibration)} className="inline-flex items-center gap-2">
      <Chip>{t("doubtful")}</Chip>
      {fitted}
    </span>
  );
}

/** The bar of a bias: estimates that are too low extend left of the middle, those too high extend right. */
function BiasBar({ line: { bias, bar } }: { readonly line: AccuracyLine }) {
  const width = bar * 50;
  return (
    <svg aria-hidden="true" width="100%" height="10" className="block">
      <rect x={bias < 0 ? `${50 - width}%` : "50%"} y="1" width={`${width}%`} height="8" fill="var(--c-assistant)" />
      <line x1="50%" x2="50%" y1="0" y2="10" stroke="var(--t3)" />
    </svg>
  );
}

/** One estimator as a row of the table. */
interface AccuracyLine extends AccuracyRow {
  /** Half the bar's width: |bias| as a share of the largest bias shown. */
  readonly bar: number;
  readonly triggered: "shifted" | "notReached" | "neverFires" | "unknown";
}

/** A bias above this fills its bar, so that one wild estimator does not flatten the others. */
const FULL_BAR = 1;

/** Rows of the table, the most accurate estimator first. */
export function accuracyLines(rows: readonly AccuracyRow[]): readonly AccuracyLine[] {
  const most = Math.min(FULL_BAR, Math.max(...rows.map(({ bias }) => Math.abs(bias)), Number.EPSILON));
  return [...rows]
    .sort((a, b) => a.mape - b.mape)
    .map((row) => ({ ...row, bar: Math.min(1, Math.abs(row.bias) / most), triggered: triggeredOf(row) }));
}

function triggeredOf({ trigger, triggerShift }: AccuracyRow): AccuracyLine["triggered"] {
  if (triggerShift !== null) return "shifted";
  if (trigger === null) return "unknown";
  return trigger.recorded === null ? "notReached" : "neverFires";
}
