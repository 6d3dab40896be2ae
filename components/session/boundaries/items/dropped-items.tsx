import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { BANDS, type Band, bandOfCategory } from "@/components/charts/bands";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { ItemList } from "../../shared/items/item-list";
import { useSession } from "../../shared/state/stores";

const LARGEST = 10;

/** Items dropped at a boundary, by the boundary's own count: sums by category, and the largest items. */
export function DroppedItems({ items }: { readonly items: readonly BoundaryItem[] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { columns } = useSession("columns");
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

/** Tokens of one band that a boundary dropped. */
interface DroppedBand {
  readonly band: Band;
  readonly items: number;
  /** Tokens by the boundary's own count. */
  readonly tokens: number;
}

/** The items that a boundary dropped, each with its size there, in item order. */
export function droppedItems(items: readonly BoundaryItem[]): readonly BoundaryItem[] {
  return items.filter(({ state }) => state === "dropped");
}

/** Items by band, in stacking order, top first. */
export function byBand(
  items: readonly BoundaryItem[],
  categoryOf: (item: BoundaryItem) => string,
): readonly DroppedBand[] {
  const sums = new Map<string, { items: number; tokens: number }>();
  for (const item of items) {
    const id = bandOfCategory(categoryOf(item))?.id ?? "other";
    const sum = sums.get(id) ?? { items: 0, tokens: 0 };
    sums.set(id, { items: sum.items + 1, tokens: sum.tokens + item.before });
  }
  return BANDS.flatMap((band) => {
    const sum = sums.get(band.id);
    return sum === undefined ? [] : [{ band, ...sum }];
  }).reverse();
}

/** The dropped items, largest first. Items that an earlier compaction added are left out, because they are not in the transcript. */
export function largestOf(items: readonly BoundaryItem[], count: number): readonly BoundaryItem[] {
  return items
    .filter(({ synthetic }) => synthetic === undefined)
    .sort((a, b) => b.before - a.before)
    .slice(0, count);
}
