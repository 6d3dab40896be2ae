import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import type { TableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { useSession } from "../../state/session-data";
import { useItemTexts } from "../../transcript/use-item-texts";
import type { BoundaryEntry } from "../entries";
import { useAddedLabel } from "./added-label";
import { itemsOfState, type StateChoice, stateChoices } from "./item-states";
import { BoundaryItemRow } from "./item-table-row";

const ROW_PX = 28;

/** Every item of the context at a compaction, and what became of it. Pressing an item shows its text. */
export function ItemTable({
  entry,
  items,
}: {
  readonly entry: BoundaryEntry;
  readonly items: readonly BoundaryItem[];
}) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const category = useTranslations("session.category");
  const { columns } = useSession();
  const labelOf = useAddedLabel();
  const [asked, setAsked] = useState<StateChoice>("all");
  const choices = stateChoices(items);
  const choice = choices.some(({ id }) => id === asked) ? asked : "all";
  if (items.length === 0) return null;
  const note = entry.kind === "recorded" ? t("itemsRecordedNote") : t("itemsNote");
  const table = (): TableData => ({
    heads: [t("itemHead"), t("stateHead"), t("categoryHead"), t("sumsBefore"), t("sumsAfter")],
    rows: items.map(({ item, synthetic, state, before, after }) => [
      synthetic === undefined ? item : labelOf(synthetic),
      t(`state.${state}`),
      // A category id of the columns; each of them has a message.
      category((synthetic?.category ?? categoryOfCode(columns.category[item] ?? -1)) as "messages"),
      before,
      after,
    ]),
  });
  return (
    <section className="mt-6 print:hidden" aria-labelledby="boundary-items">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="boundary-items" className="font-semibold">
          {t("itemsTitle")}
        </h3>
        <span className="grow">
          <ExportMenu name={t("itemsTitle")} note={note} table={table} isSmall />
        </span>
        {choices.length > 1 && (
          <div className="max-w-full overflow-x-auto">
            <ToggleGroup
              label={t("itemsState")}
              value={choice}
              options={choices.map(({ id, count }) => [
                id,
                <>
                  {t(`state.${id}`)} <span className="text-t3">{format.count(count)}</span>
                </>,
              ])}
              onChange={setAsked}
            />
          </div>
        )}
      </div>
      <Rows key={`${entry.key} ${choice}`} items={itemsOfState(items, choice)} />
      <p className="mt-1 text-xs text-t3">{note}</p>
    </section>
  );
}

function Rows({ items }: { readonly items: readonly BoundaryItem[] }) {
  const t = useTranslations("session.boundary");
  const { columns } = useSession();
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const shown = virtualizer.getVirtualItems();
  const inView = shown.flatMap(({ index }) => items[index]?.item ?? []).filter((item) => item < columns.length);
  const texts = useItemTexts(inView);
  const toggle = (item: number) =>
    setOpened((was) => new Set(was.has(item) ? [...was].filter((other) => other !== item) : [...was, item]));
  return (
    <ScrollRegion
      ref={scroller}
      aria-label={t("itemsTitle")}
      data-testid="boundary-items"
      className="mt-2 max-h-[60dvh] overflow-auto border-y border-line"
    >
      <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const boundaryItem = items[index];
          if (boundaryItem === undefined) return null;
          const { item } = boundaryItem;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <BoundaryItemRow
                boundaryItem={boundaryItem}
                opened={opened.has(item)}
                {...texts.lineOf(item)}
                onPress={() => toggle(item)}
              />
            </li>
          );
        })}
      </ol>
    </ScrollRegion>
  );
}
