import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Cost as CostAnswer } from "@/lib/api/types";
import { dollarsOf } from "@/lib/core/cost/money";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import { usePolicyChoice } from "../state/replay-data";
import { doubtfulError } from "./cache-rule";
import { COMPARED_ROWS, type ComparedCost, type ComparedRow, comparedFigure } from "./comparison";
import { type ComparedCosts, useComparedCosts, useCostView } from "./use-cost";
import { useMicroUsd } from "./use-usd";

interface ComparisonProps {
  readonly requests: readonly PricedRequest[];
  readonly lowerBound: boolean;
  /** The check of the rule that prices simulations. */
  readonly rule: CostAnswer["cacheRule"];
}

/** What was recorded, beside what the policy in force would have cost. */
export function Comparison({ requests, lowerBound, rule }: ComparisonProps) {
  const format = useFormat();
  const t = useTranslations("cost.compared");
  const ttlWords = useTranslations("cost.ttl");
  const words = usePolicyWords();
  const { policy } = usePolicyChoice();
  const [{ ttl }] = useCostView();
  const compared = useComparedCosts(requests);
  const error = doubtfulError(rule);
  return (
    <section aria-label={t("title")} className="min-w-0">
      <h2 className="font-semibold">{t("title")}</h2>
      <Table className="mt-1" data-testid="cost-compared">
        <caption className="sr-only">{t("title")}</caption>
        <thead>
          <TableRow>
            <TableHead>
              <span className="sr-only">{t("part")}</span>
            </TableHead>
            <TableHead numeric>{t("recorded")}</TableHead>
            {compared.withTtl !== undefined && (
              <TableHead numeric className="whitespace-normal">
                {t("withTtl", { ttl: ttlWords(ttl) })}
              </TableHead>
            )}
            <TableHead numeric className="whitespace-normal text-accent">
              {words.policy(policy)}
            </TableHead>
            <TableHead numeric className="max-md:hidden">
              {t("change")}
            </TableHead>
          </TableRow>
        </thead>
        <tbody>
          {COMPARED_ROWS.map((row) => (
            <Row key={row} row={row} compared={compared} lowerBound={lowerBound} />
          ))}
          <BandRow compared={compared} />
        </tbody>
      </Table>
      <Remark {...compared} />
      {error !== undefined && (
        <p className="mt-1 text-sm text-danger">{t("doubtful", { error: format.change(error, 1) })}</p>
      )}
    </section>
  );
}

interface RowProps {
  readonly row: ComparedRow;
  readonly compared: ComparedCosts;
  readonly lowerBound: boolean;
}

function Row({ row, compared: { recorded, withTtl, simulated }, lowerBound }: RowProps) {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  const isBound = lowerBound && (row === "total" || row === "output");
  const cell = (column: ComparedCost) => <Value>{usd(comparedFigure(column, row), isBound)}</Value>;
  const [before, after] = [comparedFigure(recorded, row), comparedFigure(simulated, row)];
  const change =
    before === undefined || after === undefined ? null : format.usdDifference(dollarsOf(after) - dollarsOf(before));
  return (
    <TableRow data-compared={row} className={row === "total" ? "font-semibold" : ""}>
      <TableHead scope="row" className={row === "total" ? "text-sm font-semibold text-t1" : "text-sm font-normal"}>
        {row === "total" || row === "summaryCalls" ? t(`compared.${row}`) : t(`part.${row}`)}
      </TableHead>
      <TableCell numeric>{cell(recorded)}</TableCell>
      {withTtl !== undefined && <TableCell numeric>{cell(withTtl)}</TableCell>}
      <TableCell numeric className="text-accent">
        {cell(simulated)}
      </TableCell>
      <TableCell numeric className="text-t2 max-md:hidden">
        <Value>{change}</Value>
      </TableCell>
    </TableRow>
  );
}

/** The range of the simulated cost: from reading everything from the cache that can be read to reading as little as possible. */
function BandRow({ compared: { withTtl, simulated } }: { readonly compared: ComparedCosts }) {
  const t = useTranslations("cost.compared");
  const usd = useMicroUsd();
  const { band } = simulated;
  if (band === undefined) return null;
  const text = t("range", { low: usd(band.low) ?? "", high: usd(band.high) ?? "" });
  return (
    <TableRow data-compared="band">
      <TableHead scope="row" className="text-sm font-normal" title={t("bandNote")}>
        {t("band")}
      </TableHead>
      <TableCell />
      {withTtl !== undefined && <TableCell />}
      <TableCell numeric className="whitespace-nowrap text-accent" colSpan={2}>
        {text}
      </TableCell>
    </TableRow>
  );
}

/** Why a figure is not known. */
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
  return <p className="mt-1 text-xs text-t3">{t(why)}</p>;
}
