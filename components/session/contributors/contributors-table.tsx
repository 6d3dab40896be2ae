import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Grouping } from "@/lib/core/metrics/contributor-groups";
import type { Contributors } from "@/lib/core/metrics/contributors";
import { useMicroUsd } from "../cost/use-usd";
import type { ContributorSort } from "../state/url-state";
import { type ItemTexts, useItemTexts } from "../transcript/use-item-texts";
import { ContributorName } from "./contributor-name";
import type { ContributorRow } from "./contributor-rows";
import { SortHead } from "./sort-head";

/** How many rows are shown at first, and how many a press adds. */
const STEP = 40;

interface ContributorsTableProps {
  readonly rows: readonly ContributorRow[];
  readonly totals: Contributors;
  readonly by: Grouping;
  readonly sort: ContributorSort;
  readonly up: boolean;
  readonly simulated: boolean;
  readonly onSort: (key: ContributorSort) => void;
}

/**
 * Every contributor with its tokens at the request and its tokens × requests up to there. The first column sums to the context,
 * the second to everything sent.
 */
export function ContributorsTable({ rows, totals, by, sort, up, simulated, onSort }: ContributorsTableProps) {
  const t = useTranslations("contributors");
  const format = useFormat();
  const usd = useMicroUsd();
  const [shown, setShown] = useState(STEP);
  const listed = rows.slice(0, shown);
  const texts = useItemTexts(by === "message" ? listed.flatMap(({ item }) => item ?? []) : []);
  const drawn = ({ share, sentShare, cost }: ContributorRow): number =>
    sort === "tokens" ? share : sort === "cost" ? (cost ?? 0) : sentShare;
  const most = rows.reduce((max, row) => Math.max(max, drawn(row)), 0);
  const head = (key: ContributorSort, label: string, className = "") => (
    <SortHead column={key} label={label} sort={sort} up={up} onSort={onSort} className={className} />
  );
  return (
    <div className="min-w-0">
      <Table data-testid="contributors" className="table-fixed">
        <caption className="sr-only">{t("caption", { name: t(`column.name.${by}`), request: totals.request })}</caption>
        <thead>
          <TableRow>
            {head("name", t(`column.name.${by}`), "w-auto")}
            <TableHead className="w-28 max-lg:hidden">
              <span className="sr-only">{t("column.bar")}</span>
            </TableHead>
            {head("tokens", t("column.tokens"), "w-20 max-md:w-17")}
            <TableHead numeric className="w-20 max-md:hidden">
              {t("column.share")}
            </TableHead>
            {head("residency", t("column.residency"), "w-34 max-md:w-22")}
            <TableHead numeric className="w-18 max-md:hidden">
              {t("column.sentShare")}
            </TableHead>
            {head("cost", t("column.cost"), "w-22 max-md:hidden")}
            {by === "turn"
              ? head("growth", t("column.growth"), "w-20 max-md:hidden")
              : head("items", by === "message" ? t("column.items") : t("column.calls"), "w-16 max-md:hidden")}
          </TableRow>
        </thead>
        <tbody>
          {listed.map((row) => (
            <Line
              key={row.key}
              row={row}
              by={by}
              texts={texts}
              bar={most > 0 ? drawn(row) / most : 0}
              simulated={simulated}
            />
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-t1 font-semibold">
            <TableHead scope="row" className="h-8 text-sm font-semibold text-t1">
              {t("sum")}
            </TableHead>
            <TableCell className="max-lg:hidden" />
            <TableCell numeric data-testid="contributors-sum">
              {format.count(rows.reduce((sum, { tokens }) => sum + tokens, 0))}
            </TableCell>
            <TableCell numeric className="max-md:hidden">
              {format.percent(totals.context > 0 ? 1 : 0, 1)}
            </TableCell>
            <TableCell numeric>{format.sum(rows.reduce((sum, { residency }) => sum + residency, 0))}</TableCell>
            <TableCell numeric className="max-md:hidden">
              {format.percent(totals.sent > 0 ? 1 : 0, 1)}
            </TableCell>
            <TableCell numeric className="max-md:hidden" data-testid="contributors-cost">
              <Value>{usd(totals.inputCost)}</Value>
            </TableCell>
            <TableCell className="max-md:hidden" />
          </tr>
        </tfoot>
      </Table>
      {rows.length > shown && (
        <div className="mt-2 flex flex-wrap items-center gap-x-3">
          <Button variant="ghost" onClick={() => setShown(shown + STEP)}>
            {t("more", { count: Math.min(STEP, rows.length - shown) })}
          </Button>
          <span className="text-sm text-t3" data-testid="contributors-shown">
            {t("shown", { shown, total: rows.length })}
          </span>
        </div>
      )}
    </div>
  );
}

interface LineProps {
  readonly row: ContributorRow;
  readonly by: Grouping;
  readonly texts: ItemTexts;
  /** Length of the bar, 0 to 1. */
  readonly bar: number;
  readonly simulated: boolean;
}

function Line({ row, by, texts, bar, simulated }: LineProps) {
  const format = useFormat();
  const usd = useMicroUsd();
  return (
    <TableRow data-contributor={row.key}>
      <TableHead scope="row" className="h-7 max-w-0 px-0 text-sm font-normal text-t1">
        <ContributorName row={row} texts={texts} />
      </TableHead>
      <TableCell className="max-lg:hidden">
        <svg aria-hidden="true" width="100%" height="8" className="block">
          <rect width={`${bar * 100}%`} height="8" rx="1" className={simulated ? "fill-accent" : "fill-t2"} />
        </svg>
      </TableCell>
      <TableCell numeric className={cn(row.tokens === 0 ? "text-t3" : "font-medium")}>
        {format.count(row.tokens)}
      </TableCell>
      <TableCell numeric className="text-t2 max-md:hidden">
        {format.percent(row.share, 1)}
      </TableCell>
      <TableCell numeric title={format.count(row.residency)}>
        {format.sum(row.residency)}
      </TableCell>
      <TableCell numeric className="text-t2 max-md:hidden">
        {format.percent(row.sentShare, 1)}
      </TableCell>
      <TableCell numeric className="max-md:hidden">
        <Value>{usd(row.cost)}</Value>
      </TableCell>
      <TableCell numeric className="text-t2 max-md:hidden">
        <Last row={row} by={by} />
      </TableCell>
    </TableRow>
  );
}

/** The last column: a turn's growth, a message's items, or the number of calls. */
function Last({ row, by }: Pick<LineProps, "row" | "by">) {
  const format = useFormat();
  if (by === "turn") return row.growth === undefined ? "" : format.difference(row.growth.growth);
  if (row.kind === "category" || row.kind === "unattributed") return "";
  return format.count(by === "message" ? row.items : row.calls);
}
