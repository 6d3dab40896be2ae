import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Chip } from "@/components/ui/chip";
import { useRecorded } from "../state/recorded-data";
import { useDoubtText } from "../state/use-doubt-text";
import { useEstimatorName } from "../state/use-estimator-name";
import type { AccuracyLine } from "./accuracy-rows";

/** The estimators as rows, the most accurate first. */
export function AccuracyTable({ lines }: { readonly lines: readonly AccuracyLine[] }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { counted } = useRecorded();
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

/** The bar of a bias: estimates that are too low reach left of the middle, those too high reach right. */
function BiasBar({ line: { bias, bar } }: { readonly line: AccuracyLine }) {
  const width = bar * 50;
  return (
    <svg aria-hidden="true" width="100%" height="10" className="block">
      <rect x={bias < 0 ? `${50 - width}%` : "50%"} y="1" width={`${width}%`} height="8" fill="var(--c-assistant)" />
      <line x1="50%" x2="50%" y1="0" y2="10" stroke="var(--t3)" />
    </svg>
  );
}
