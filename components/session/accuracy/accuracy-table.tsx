import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Chip } from "@/components/ui/chip";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { useRecorded } from "../state/recorded-data";
import { useDoubtText } from "../state/use-doubt-text";
import { useEstimatorName } from "../state/use-estimator-name";
import type { AccuracyLine } from "./accuracy-rows";

/** The estimators as rows, the most accurate first. */
export function AccuracyTable({ lines }: { readonly lines: readonly AccuracyLine[] }) {
  const t = useTranslations("session.accuracy");
  return (
    <Table className="max-w-280" data-testid="accuracy">
      <caption className="sr-only">{t("title")}</caption>
      <thead>
        <TableRow>
          <TableHead>{t("estimator")}</TableHead>
          <TableHead className="max-md:hidden">{t("tokenizer")}</TableHead>
          <TableHead className="max-lg:hidden">
            <span className="sr-only">{t("bar")}</span>
          </TableHead>
          <TableHead numeric>{t("bias")}</TableHead>
          <TableHead numeric>{t("error")}</TableHead>
          <TableHead numeric className="max-md:hidden">
            {t("context")}
          </TableHead>
          <TableHead numeric>{t("trigger")}</TableHead>
          <TableHead numeric className="max-md:hidden">
            {t("calibration")}
          </TableHead>
        </TableRow>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.estimator} line={line} />
        ))}
      </tbody>
    </Table>
  );
}

function Line({ line }: { readonly line: AccuracyLine }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const signed = useSignedPercent();
  const { tokens } = useRecorded();
  const nameOf = useEstimatorName();
  return (
    <TableRow data-estimator={line.estimator}>
      <TableHead scope="row" className="h-7 text-sm font-normal whitespace-normal normal-nums text-t1">
        <span className="flex flex-wrap items-center gap-x-2">
          {nameOf(line.estimator)}
          {tokens.estimator === line.estimator && <Chip>{t("inForce")}</Chip>}
        </span>
      </TableHead>
      <TableCell className="text-t2 max-md:hidden">{t(`tokenizerOf.${line.tokenizer}`)}</TableCell>
      <TableCell className="w-40 max-lg:hidden">
        <BiasBar line={line} />
      </TableCell>
      <TableCell numeric className="font-semibold whitespace-nowrap">
        {signed(line.bias)}
      </TableCell>
      <TableCell numeric className="whitespace-nowrap">
        {format.percent(line.mape, 1)}
      </TableCell>
      <TableCell numeric className="whitespace-nowrap text-t2 max-md:hidden">
        {signed(line.context.bias)}
      </TableCell>
      <TableCell numeric className="text-t2">
        <Shift line={line} />
      </TableCell>
      <TableCell numeric className="whitespace-nowrap text-t2 max-md:hidden">
        <Fitted line={line} />
      </TableCell>
    </TableRow>
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

function useSignedPercent(): (share: number) => string {
  const format = useFormat();
  return (share) => format.change(share, 1);
}
