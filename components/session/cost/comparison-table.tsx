import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { type Column, RowHead, TableCell, TableRow } from "@/components/ui/table";
import { dollarsOf } from "@/lib/core/cost/money";
import type { Cost as CostAnswer } from "@/lib/queries/contract/types";
import { COMPARED_ROWS, type ComparedCost, type ComparedRow, comparedMetric } from "../shared/cost/comparison";
import { type ComparedCosts, useComparedCosts, useCostView, useMicroUsd } from "../shared/cost/use-cost";
import { useReplay } from "../shared/state/stores";
import { doubtfulError } from "./cache-rule";

interface ComparisonProps {
  readonly lowerBound: boolean;
  /** The check of the rule that prices simulations. */
  readonly rule: CostAnswer["cacheRule"];
  /** True if the session's bill has requests that are not compared. */
  readonly isChainOnly: boolean;
}

/** The recorded cost next to that of the current policy. */
export function Comparison({ lowerBound, rule, isChainOnly }: ComparisonProps) {
  const format = useFormat();
  const t = useTranslations("cost.compared");
  const parts = useTranslations("cost.part");
  const ttlWords = useTranslations("cost.ttl");
  const words = usePolicyWords();
  const usd = useMicroUsd();
  const { policy } = useReplay(({ chosen }) => chosen);
  const [{ ttl }] = useCostView();
  const compared = useComparedCosts();
  const { recorded, withTtl, simulated } = compared;
  const error = doubtfulError(rule);
  const amountIn = (column: ComparedCost) => (row: ComparedRow) => (
    <Value>{usd(comparedMetric(column, row), lowerBound && (row === "total" || row === "output"))}</Value>
  );
  const valueIn = (column: ComparedCost) => (row: ComparedRow) => {
    const amount = comparedMetric(column, row);
    return amount === undefined ? null : dollarsOf(amount);
  };
  const partOf = (row: ComparedRow): string => (row === "total" || row === "summaryCalls" ? t(row) : parts(row));
  const columns: Column<ComparedRow>[] = [
    {
      head: <span className="sr-only">{t("part")}</span>,
      namesRow: true,
      cellClass: "text-t3",
      cellProps: (row) => ({ className: row === "total" ? "font-semibold text-t1" : "" }),
      name: t("part"),
      cell: partOf,
      value: partOf,
    },
    { head: t("recorded"), numeric: true, cell: amountIn(recorded), value: valueIn(recorded) },
  ];
  if (withTtl !== undefined) {
    columns.push({
      head: t("withTtl", { ttl: ttlWords(ttl) }),
      numeric: true,
      headClass: "whitespace-normal",
      cell: amountIn(withTtl),
      value: valueIn(withTtl),
    });
  }
  columns.push(
    {
      head: words.policy(policy),
      numeric: true,
      className: "text-accent",
      headClass: "whitespace-normal",
      cell: amountIn(simulated),
      value: valueIn(simulated),
    },
    {
      head: t("change"),
      numeric: true,
      className: "max-md:hidden",
      cellClass: "text-t2",
      cell: (row) => {
        const [before, after] = [comparedMetric(recorded, row), comparedMetric(simulated, row)];
        const isKnown = before !== undefined && after !== undefined;
        return <Value>{isKnown ? format.usdDifference(dollarsOf(after) - dollarsOf(before)) : null}</Value>;
      },
      value: (row) => {
        const [before, after] = [valueIn(recorded)(row), valueIn(simulated)(row)];
        return before === null || after === null ? null : after - before;
      },
    },
  );
  return (
    <section aria-label={t("title")} className="min-w-0">
      <h2 className="font-semibold">{t("title")}</h2>
      <ExportedTable
        className="mt-1"
        data-testid="cost-compared"
        caption={t("title")}
        rows={COMPARED_ROWS}
        rowKey={(row) => row}
        rowProps={(row) => ({ "data-compared": row, className: row === "total" ? "font-semibold" : "" })}
        columns={columns}
      >
        <BandRow compared={compared} />
      </ExportedTable>
      <Remark {...compared} />
      {isChainOnly && <p className="mt-1 text-sm text-t3">{t("chainOnly")}</p>}
      {error !== undefined && (
        <p className="mt-1 text-sm text-danger">{t("doubtful", { error: format.change(error, 1) })}</p>
      )}
    </section>
  );
}

/** The range of the simulated cost: from the most cache reads possible to the fewest. */
function BandRow({ compared: { withTtl, simulated } }: { readonly compared: ComparedCosts }) {
  const t = useTranslations("cost.compared");
  const usd = useMicroUsd();
  const { band } = simulated;
  if (band === undefined) return null;
  return (
    <TableRow data-compared="band">
      <RowHead className="text-t3" title={t("bandNote")}>
        {t("band")}
      </RowHead>
      <TableCell />
      {withTtl !== undefined && <TableCell />}
      <TableCell numeric className="whitespace-nowrap text-accent" colSpan={2}>
        {t("range", { low: usd(band.low) ?? "", high: usd(band.high) ?? "" })}
      </TableCell>
    </TableRow>
  );
}

/** Reason for an unknown metric. */
function Remark({ recorded, simulated }: ComparedCosts) {
  const t = useTranslations("cost.compared");
  const why =
    recorded.cost === undefined
      ? "noPrice"
      : simulated.cost === undefined
        ? simulated.summaryCalls === undefined
          ? "unknownCalls"
          : "unknownReads"
        : "callsNotRecorded";
  return <p className="mt-1 text-sm text-t3">{t(why)}</p>;
}
