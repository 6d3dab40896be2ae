import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Facet } from "@/lib/api/facet-keys";
import { isLeastSum } from "@/lib/api/least";
import { barOf, CHARTS, type Chart, type Group, groupFilter } from "./group-view";
import { sessionsHref } from "./selection";
import { useGroupWords } from "./use-group-words";

/** The numbers of the charts; a group's name opens its sessions. */
export function GroupsTable({ by, groups }: { readonly by: Facet; readonly groups: readonly Group[] }) {
  const t = useTranslations("insights.sums");
  const words = useGroupWords();
  const format = useFormat();
  const search = useSearchParams();
  const written = (chart: Chart, group: Group) => {
    if (chart === "peak" && group.peak !== null)
      return [group.peak.p50, group.peak.p75, group.peak.p95].map(format.short).join(" · ");
    const { total } = barOf(chart, group);
    if (total === null) return null;
    if (chart !== "cost") return format.sum(total);
    return format.usd(total, isLeastSum(group));
  };
  return (
    <ScrollRegion aria-label={t("title")} className="mt-3 max-h-80 overflow-auto border-t border-line">
      <ExportedTable
        hasStickyHead
        caption={t("title")}
        rows={groups}
        rowKey={({ value }) => value ?? ""}
        data-testid="groups"
        columns={[
          {
            head: t(`facet.${by}`),
            namesRow: true,
            value: ({ value }) => words.group(by, value),
            cellClass: "max-w-60 truncate",
            cell: ({ value }) => {
              const filter = groupFilter(by, value);
              const name = words.group(by, value);
              if (filter === undefined) return name;
              return (
                <Link
                  href={sessionsHref(search, filter)}
                  prefetch={false}
                  title={value ?? name}
                  className="underline underline-offset-2"
                >
                  {name}
                </Link>
              );
            },
          },
          {
            head: t("sessions"),
            numeric: true,
            cell: ({ sessions, copies }) => format.count(sessions - copies),
            value: ({ sessions, copies }) => sessions - copies,
          },
          ...CHARTS.map((chart) => ({
            head: t(chart),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: (group: Group) => <Value>{written(chart, group)}</Value>,
            value: (group: Group) => barOf(chart, group).total ?? null,
          })),
        ]}
      />
    </ScrollRegion>
  );
}
