import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { originOf, sessionHref } from "@/components/format/relation";
import { UnpricedModels } from "@/components/format/unpriced-models";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { Value } from "@/components/format/value";
import type { Column } from "@/components/ui/table";
import { shownTitle } from "@/lib/core/transcript/title";
import type { Cost as CostAnswer, RelatedSession } from "@/lib/queries/contract/types";
import { isLeast, unpricedOfBill } from "@/lib/queries/wire/least";
import type { BillLine, BillView } from "../shared/cost/bill-view";
import { useUsd } from "../shared/cost/use-cost";

interface AnswerProps {
  readonly answer: CostAnswer;
}

interface TotalProps extends AnswerProps {
  readonly view: BillView;
  readonly related?: readonly RelatedSession[];
}

/** The session's cost in one sentence, its parts, the prices used, and the limits of the metric. */
export function Total({ answer, view, related = [] }: TotalProps) {
  const t = useTranslations("cost.total");
  const usd = useUsd();
  const { byModel, impossibleFigures: impossible } = answer;
  const { bill, billed, input } = view;
  // A captured stream may state only the sum of its requests.
  const requests = billed.requests || (bill.passes?.requests ?? 0);
  const total = billed.usd;
  const lowerBound = isLeast(answer);
  // If other files count some of the requests, the list knows their number, but not by model.
  const isOfFile = bill.inherited?.requests === answer.bill.inherited?.requests;
  const without = requests - Math.round((answer.priced ?? 0) * requests);
  return (
    <section aria-label={t("title")} className="border-b border-line px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1" data-testid="cost-total">
        <span className="text-xl font-semibold">
          <Value>{usd(total, lowerBound)}</Value>
        </span>
        <span className="text-t2">
          {requests === 0 && bill.inherited !== null
            ? t("allInherited", { count: bill.inherited.requests })
            : total === null
              ? t("unpriced", { without, count: requests, all: without === requests ? "yes" : "no" })
              : t(impossible > 0 ? "atLeastOdd" : lowerBound ? "atLeast" : "exact", {
                  count: requests,
                  own: bill.inherited === null ? "no" : "yes",
                  input: usd(input) ?? "",
                })}
        </span>
      </p>
      <UnpricedModels models={[...unpricedOfBill(bill), ...unpricedOfBill(answer.bill)]} className="text-sm text-t2" />
      <BillTable view={view} related={related} />
      <Subagents each={answer.bill.subagents?.each ?? []} />
      <ul className="mt-1 flex flex-col gap-0.5 text-sm text-t2" data-testid="cost-facts">
        {Object.keys(byModel).map((model) => (
          <ModelLine key={model} answer={answer} model={model} hasPart={isOfFile} />
        ))}
        <OwnCost answer={answer} />
        <Remarks answer={answer} />
        <li className="text-t3">{t("listPrice")}</li>
      </ul>
    </section>
  );
}

interface ModelLineProps extends AnswerProps {
  readonly model: string;
  /** True if the answer's sum for a model is the session's own. */
  readonly hasPart: boolean;
}

/** A model: the source of its prices and, if the session used several models, its cost. */
function ModelLine({ answer, model, hasPart }: ModelLineProps) {
  const t = useTranslations("cost.total");
  const common = useTranslations("common.value");
  const usd = useUsd();
  const { on } = answer;
  const pricedAs = on ?? model;
  const price = answer.prices.find((one) => one.model === pricedAs);
  const own = answer.byModel[model];
  const several = hasPart && Object.keys(answer.byModel).length > 1;
  const lowerBound = answer.costUsd.lowerBound === true;
  const amount = usd(own?.total ?? null, lowerBound) ?? common("na");
  const words = {
    model: model === "" ? t("noModel") : model,
    part: several ? t("part", { count: own?.requests ?? 0, usd: amount }) : "",
    name: (chunks: ReactNode) => <span className="font-mono text-t1">{chunks}</span>,
  };
  return (
    <li className="[overflow-wrap:anywhere]">
      {price === undefined
        ? t.rich("noPrice", words)
        : t.rich(on === null || on === model ? "seen" : "seenAs", {
            ...words,
            as: pricedAs,
            day: price.seen,
            source: price.source,
          })}
      {answer.repriced.includes(pricedAs) && ` ${t("repriced")}`}
    </li>
  );
}

/** The cost of the requests, as stated by the file itself. */
function OwnCost({ answer: { ownCost, requests } }: AnswerProps) {
  const t = useTranslations("cost.total");
  const common = useTranslations("common.value");
  const usd = useUsd();
  if (ownCost === null) return null;
  const { own, ours, requests: stated, reasoningTwice } = ownCost;
  return (
    <li data-testid="own-cost">
      {t("own", { own: usd(own) ?? "", ours: usd(ours) ?? common("na"), stated, count: requests })}
      {reasoningTwice && ` ${t("reasoningTwice")}`}
    </li>
  );
}

/** Additions to the sum, and limits of its meaning. */
function Remarks({ answer }: AnswerProps) {
  const { undividedWrites, unpricedTerms, webSearches, costUsd, impossibleFigures: impossible } = answer;
  const t = useTranslations("cost.total");
  const common = useTranslations("common.value");
  const format = useFormat();
  const usd = useUsd();
  const amount = (dollars: number | null) => usd(dollars) ?? common("na");
  return (
    <>
      {costUsd.lowerBound === true && <li>{t("lowerBound")}</li>}
      {impossible > 0 && <li className="text-danger">{t("impossible", { count: impossible })}</li>}
      {unpricedTerms.map(({ model, terms }) => (
        <li key={`${model} ${terms}`}>{t("noTierPrice", { model, terms })}</li>
      ))}
      {undividedWrites > 0 && <li>{t("undivided", { count: undividedWrites })}</li>}
      {webSearches.count > 0 && (
        <li>{t("searches", { searches: format.count(webSearches.count), usd: amount(webSearches.usd) })}</li>
      )}
    </>
  );
}

interface BillTableProps {
  readonly view: BillView;
  readonly related: readonly RelatedSession[];
}

const SUMS: ReadonlySet<BillLine["name"]> = new Set(["billed", "together"]);

/** A session's requests by the session that paid for them. Empty if it has only own requests. */
function BillTable({ view: { bill, lines }, related }: BillTableProps) {
  const t = useTranslations("cost.bill");
  const format = useFormat();
  const usd = useUsd();
  if (lines.length === 0) return null;
  const files = bill.subagents?.files ?? 0;
  const label = ({ name }: BillLine) => t(`line.${name}`, { files });
  const columns: Column<BillLine>[] = [
    {
      head: <span className="sr-only">{t("part")}</span>,
      namesRow: true,
      name: t("part"),
      cellClass: "text-t2 whitespace-normal",
      cellProps: ({ name }) => ({
        className: SUMS.has(name) ? "font-semibold text-t1" : name === "passes" ? "pl-4" : "",
      }),
      cell: (line) =>
        line.name === "inherited" ? (
          <>
            {label(line)}
            <MadeBy from={bill.inherited?.from ?? []} related={related} />
          </>
        ) : (
          label(line)
        ),
      value: label,
    },
    {
      head: t("requests"),
      numeric: true,
      cell: ({ name, requests }) => (name === "passes" ? t("passes", { count: requests }) : format.count(requests)),
      value: ({ requests }) => requests,
    },
    {
      head: t("sent"),
      numeric: true,
      className: "max-md:hidden",
      cell: ({ sent }) => <Value>{sent === null ? null : format.count(sent)}</Value>,
      value: ({ sent }) => sent,
    },
    {
      head: t("cost"),
      numeric: true,
      cell: ({ usd: dollars, isLeast }) => <Value>{usd(dollars, isLeast)}</Value>,
      value: ({ usd: dollars }) => dollars,
    },
  ];
  return (
    <ExportedTable
      className="mt-2 max-w-160"
      data-testid="cost-bill"
      caption={t("title")}
      rows={lines}
      rowKey={({ name }) => name}
      rowProps={({ name }) => ({
        "data-bill": name,
        className: SUMS.has(name) ? "font-semibold" : name === "inherited" ? "text-t2" : "",
      })}
      columns={columns}
    />
  );
}

type SubagentParts = NonNullable<NonNullable<CostAnswer["bill"]["subagents"]>["each"]>;

/** The subagents with files of their own, each with its requests and cost; a title opens its session. */
function Subagents({ each }: { readonly each: SubagentParts }) {
  const t = useTranslations("cost.bill");
  const usd = useUsd();
  const written = useTitle();
  if (each.length === 0) return null;
  return (
    <details className="max-w-160 text-sm" data-testid="cost-subagents">
      <summary className="w-fit cursor-pointer py-1 text-t2 touch:py-2.5">{t("each", { count: each.length })}</summary>
      <ul>
        {each.map(({ session, title, requests, usd: dollars, lowerBound }) => (
          <li key={session} className="flex items-baseline gap-x-3 py-0.5">
            <Link href={sessionHref(session)} prefetch={false} className="min-w-0 grow truncate underline">
              {written(shownTitle(title))}
            </Link>
            <span className="shrink-0 text-t2">{t("eachRequests", { count: requests })}</span>
            <span className="w-20 shrink-0 text-right">
              <Value>{usd(dollars, lowerBound)}</Value>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface MadeByProps {
  readonly from: readonly string[];
  readonly related: readonly RelatedSession[];
}

/** The session that made inherited requests: a link if it is listed, else its id. */
function MadeBy({ from, related }: MadeByProps): ReactNode {
  const t = useTranslations("cost.bill");
  const written = useTitle();
  const origin = originOf(related.filter(({ kind }) => kind !== "subagent-of"));
  if (origin !== undefined) {
    const title = written(shownTitle(origin.title));
    return t.rich("madeBy", {
      name: () => (
        <Link href={sessionHref(origin.id)} prefetch={false} className="rounded-sm text-t1 underline">
          {title}
        </Link>
      ),
    });
  }
  if (from.length === 0) return null;
  return t.rich("madeBy", {
    name: () => <span className="font-mono [overflow-wrap:anywhere]">{from.join(", ")}</span>,
  });
}
