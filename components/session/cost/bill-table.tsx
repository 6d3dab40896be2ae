import Link from "next/link";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { originOf, sessionHref } from "@/components/sessions/relation";
import type { Column } from "@/components/ui/table";
import type { RelatedSession } from "@/lib/api/types";
import { shownTitle } from "@/lib/core/transcript/title";
import type { BillLine, BillView } from "./bill-view";
import { useUsd } from "./use-usd";

interface BillTableProps {
  readonly view: BillView;
  readonly related: readonly RelatedSession[];
}

const SUMS: ReadonlySet<BillLine["name"]> = new Set(["billed", "together"]);

/** A session's requests by who paid for them. Nothing where it has nothing but own requests. */
export function BillTable({ view: { bill, lines }, related }: BillTableProps) {
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
            {label(line)} <MadeBy from={bill.inherited?.from ?? []} related={related} />
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

interface MadeByProps {
  readonly from: readonly string[];
  readonly related: readonly RelatedSession[];
}

/** The session that made inherited requests: a link where it is listed, else its id. */
function MadeBy({ from, related }: MadeByProps): ReactNode {
  const t = useTranslations("cost.bill");
  const origin = originOf(related.filter(({ kind }) => kind !== "subagent-of"));
  if (origin !== undefined) {
    const title = shownTitle(origin.title);
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
