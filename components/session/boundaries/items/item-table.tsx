import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import type { TableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { type BoundaryItem, ITEM_STATES, type ItemState } from "@/lib/core/compaction/boundary-items";
import { fileLabel, type SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { itemLabel } from "../../shared/items/item-label";
import { ItemKind, ItemLine } from "../../shared/items/item-line";
import { type LineTexts, useItemTexts } from "../../shared/items/use-item-texts";
import { OpenedText } from "../../shared/reading/item-text";
import { useSession } from "../../shared/state/stores";

const ROW_PX = 28;

/** Every item of the context at a compaction, and its state afterwards. Pressing an item shows its text. */
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
  const { columns } = useSession("columns");
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
      <p className="mt-1 text-sm text-t3">{note}</p>
      <Rows key={`${entry.key} ${choice}`} items={itemsOfState(items, choice)} />
    </section>
  );
}

function Rows({ items }: { readonly items: readonly BoundaryItem[] }) {
  const t = useTranslations("session.boundary");
  const { columns } = useSession("columns");
  const list = useRef<HTMLOListElement>(null);
  const above = useSpaceAbove(list);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollMargin: above,
  });
  const shown = virtualizer.getVirtualItems();
  const inView = shown.flatMap(({ index }) => items[index]?.item ?? []).filter((item) => item < columns.length);
  const texts = useItemTexts(inView);
  const toggle = (item: number) =>
    setOpened((was) => new Set(was.has(item) ? [...was].filter((other) => other !== item) : [...was, item]));
  return (
    <ol
      ref={list}
      aria-label={t("itemsTitle")}
      data-testid="boundary-items"
      className="relative mt-2 border-y border-line"
      style={{ height: virtualizer.getTotalSize() }}
    >
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
            style={{ transform: `translateY(${start - above}px)` }}
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
  );
}

/** The nearest ancestor that scrolls: the details of a boundary, or on narrow screens the whole tab. */
function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  for (let one = list?.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  return null;
}

/** Distance from the start of the scrolled content to a list in it, in pixels; it changes when texts above the list arrive. */
function useSpaceAbove(list: RefObject<HTMLElement | null>): number {
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => {
    const [own, scroller] = [list.current, scrollerOf(list.current)];
    if (own === null || scroller === null) return;
    const measure = () =>
      setAbove(Math.round(own.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop));
    measure();
    const observer = new ResizeObserver(measure);
    for (const part of [scroller, ...scroller.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [list]);
  return above;
}

/** Filter of the table: items of one state, or all. */
type StateChoice = ItemState | "all";

/** The choices that have items, each with its count; "all" comes first. */
export function stateChoices(
  items: readonly BoundaryItem[],
): readonly { readonly id: StateChoice; readonly count: number }[] {
  const counts = new Map<ItemState, number>();
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1);
  const present = ITEM_STATES.filter((state) => counts.has(state));
  return [
    { id: "all" as const, count: items.length },
    ...(present.length < 2 ? [] : present.map((id) => ({ id, count: counts.get(id) ?? 0 }))),
  ];
}

/** The items of a choice, in context order. */
export function itemsOfState(items: readonly BoundaryItem[], choice: StateChoice): readonly BoundaryItem[] {
  return choice === "all" ? items : items.filter(({ state }) => state === choice);
}

interface BoundaryItemRowProps extends LineTexts {
  readonly boundaryItem: BoundaryItem;
  readonly opened: boolean;
  readonly onPress: () => void;
}

const GRID =
  "grid min-h-7 w-full grid-cols-[auto_1fr_auto] max-md:py-1 items-center gap-x-2 text-left text-sm touch:min-h-10 md:grid-cols-[6.5rem_8.5rem_1fr_auto] lg:grid-cols-[6.5rem_11rem_1fr_auto]";

/** One item: state, kind, first line, tokens. */
function BoundaryItemRow({ boundaryItem, opened, text, call, failed, onPress }: BoundaryItemRowProps) {
  const { columns } = useSession("columns");
  const labelOf = useAddedLabel();
  const { item, synthetic } = boundaryItem;
  if (synthetic !== undefined) {
    const label = [labelOf(synthetic), ...(synthetic.files ?? []).map(fileLabel)].join(" · ");
    return (
      <div className={GRID}>
        <StateChip state={boundaryItem.state} />
        <span className="col-span-1 truncate text-t2 md:col-span-2">{label}</span>
        <Tokens boundaryItem={boundaryItem} />
      </div>
    );
  }
  const label = itemLabel(columns, item);
  return (
    <>
      <button type="button" aria-expanded={opened} onClick={onPress} className={cn(GRID, "hover:bg-sunk")}>
        <StateChip state={boundaryItem.state} />
        <ItemKind label={label} />
        <span
          className={cn(
            "truncate normal-nums max-md:order-last max-md:col-span-3 max-md:pb-1",
            boundaryItem.state === "dropped" ? "text-t3" : "text-t1",
            (label.word === "call" || label.word === "result") && "font-mono",
          )}
        >
          {!opened && <ItemLine label={label} text={text} call={call} failed={failed} />}
        </span>
        <Tokens boundaryItem={boundaryItem} />
      </button>
      {opened && text !== undefined && (
        <div className="px-4 pb-2 md:pl-15">
          <OpenedText item={item} text={text} asWritten={false} />
        </div>
      )}
    </>
  );
}

/** States of items that are whole in the context after. */
const KEPT_STATES: ReadonlySet<ItemState> = new Set(["kept", "added", "entered"]);

function StateChip({ state }: Pick<BoundaryItem, "state">) {
  const t = useTranslations("session.boundary.state");
  return (
    <span>
      <Chip className={KEPT_STATES.has(state) ? "" : "border-dashed"}>{t(state)}</Chip>
    </span>
  );
}

function Tokens({ boundaryItem: { state, before, after } }: Pick<BoundaryItemRowProps, "boundaryItem">) {
  const format = useFormat();
  const changed = state === "truncated" || state === "cleared";
  return (
    <span className="text-right whitespace-nowrap text-t2">
      {changed && `${format.count(before)} → `}
      {format.count(state === "dropped" ? before : after)}
    </span>
  );
}

/** The name of an item that a compaction added, in the user's language. A name without a message is shown in the policy's words. */
export function useAddedLabel(): (item: Pick<SyntheticItem, "name" | "label" | "count">) => string {
  const t = useTranslations("session.boundary.addedItem");
  // The names come from policies, so the compiler cannot know them; `has` checks them.
  return ({ name, label, count = 0 }) => (t.has(name as never) ? t(name as never, { count } as never) : label);
}
