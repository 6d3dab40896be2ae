import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { ItemList } from "../../item-list";
import { useSession } from "../../state/session-data";
import { byBand, droppedItems, largestOf } from "./dropped";

const LARGEST = 10;

/** What left the context at a boundary, by the boundary's own count: by category, and the largest items. */
export function DroppedItems({ items }: { readonly items: readonly BoundaryItem[] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { columns } = useSession();
  const dropped = useMemo(() => droppedItems(items), [items]);
  if (dropped.length === 0) return null;
  const categoryOf = ({ item, synthetic }: BoundaryItem) =>
    synthetic?.category ?? categoryOfCode(columns.category[item] ?? -1);
  return (
    <div className="@container mt-6 min-w-0">
      <div className="grid gap-x-8 gap-y-6 @4xl:grid-cols-[22rem_minmax(0,1fr)]">
        <ExportedTable
          className="self-start"
          data-testid="dropped"
          caption={t("boundary.droppedTitle")}
          rows={byBand(dropped, categoryOf)}
          rowKey={({ band }) => band.id}
          columns={[
            {
              head: t("boundary.droppedTitle"),
              namesRow: true,
              value: ({ band }) => t(`band.${band.id}`),
              className: "pl-0",
              cellClass: "h-7",
              cell: ({ band }) => (
                <span className="flex items-center gap-2">
                  <Swatch band={band} />
                  {t(`band.${band.id}`)}
                </span>
              ),
            },
            {
              head: t("boundary.droppedItems"),
              numeric: true,
              cell: ({ items: count }) => format.count(count),
              value: ({ items: count }) => count,
            },
            {
              head: t("boundary.droppedTokens"),
              numeric: true,
              className: "pr-0",
              cell: ({ tokens }) => format.count(tokens),
              value: ({ tokens }) => tokens,
            },
          ]}
        />
        <ItemList
          title={t("boundary.droppedLargest")}
          items={largestOf(dropped, LARGEST).map(({ item, before }) => ({ item, tokens: before }))}
        />
      </div>
    </div>
  );
}
