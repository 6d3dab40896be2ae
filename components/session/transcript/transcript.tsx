import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import type { GreyBy } from "../state/url-state";
import { useView } from "../state/view";
import { InlineBoundaries } from "./inline-boundaries";
import { ItemRow } from "./item-row";
import { presenceAt } from "./presence";
import { TranscriptHead } from "./transcript-head";
import { useFollow } from "./use-follow";
import { type ItemTexts, useItemTexts } from "./use-item-texts";
import { useRovingRow } from "./use-roving-row";

const ROW_PX = 28;
const NARROW_ROW_PX = 53;

/**
 * The transcript. Only the part in view is fetched and drawn. A row is an item with the boundaries before it, so that the list's
 * rows stay the same while a slider moves boundaries.
 */
export function Transcript({ narrow }: { readonly narrow: boolean }) {
  const t = useTranslations("session.transcript");
  const { columns } = useSession();
  const scroller = useRef<HTMLElement>(null);
  const rowPx = narrow ? NARROW_ROW_PX : ROW_PX;
  const estimateSize = useCallback((index: number) => (index < columns.length ? rowPx : 0), [columns.length, rowPx]);
  const { item: selected } = useCursor();
  const { focused, listeners } = useRovingRow(scroller, columns.length);
  const rangeExtractor = useCallback((range: Range) => withRows(range, selected, focused), [selected, focused]);
  const virtualizer = useVirtualizer({
    count: columns.length + 1,
    getScrollElement: () => scroller.current,
    estimateSize,
    rangeExtractor,
    // The row behind the last item is not that item when the session goes on.
    getItemKey: useCallback((index: number) => (index < columns.length ? index : "end"), [columns.length]),
    overscan: 6,
  });
  const shown = virtualizer.getVirtualItems();
  // The only row that is a Tab stop; arrow keys go on from there.
  const stop = focused ?? selected ?? virtualizer.range?.startIndex ?? 0;
  const texts = useItemTexts(shown.map(({ index }) => index).filter((index) => index < columns.length));
  const { greyBy } = useView();
  useFollow(virtualizer);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((item: number) => setOpened((was) => toggled(was, item)), []);
  return (
    <section aria-label={t("title")} className="flex min-h-0 grow flex-col border-t border-line">
      <TranscriptHead />
      <section
        ref={scroller}
        aria-label={t("list")}
        data-testid="transcript"
        className="min-h-60 grow overflow-auto overscroll-contain max-lg:h-[70dvh] max-lg:grow-0"
      >
        <ol className="relative" {...listeners} style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={columns.length}
              aria-posinset={Math.min(index + 1, columns.length)}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <InlineBoundaries item={index} />
              {index < columns.length && (
                <Item
                  item={index}
                  texts={texts}
                  greyBy={greyBy}
                  stop={index === stop}
                  opened={opened.has(index)}
                  onToggle={toggle}
                />
              )}
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

/** The rows in view, and the rows that have to stay drawn wherever they are. */
function withRows(range: Range, ...rows: readonly (number | null)[]): number[] {
  const shown = new Set(defaultRangeExtractor(range));
  for (const row of rows) if (row !== null && row < range.count) shown.add(row);
  return [...shown].sort((a, b) => a - b);
}

function toggled(items: ReadonlySet<number>, item: number): ReadonlySet<number> {
  const next = new Set(items);
  if (!next.delete(item)) next.add(item);
  return next;
}

interface ItemProps {
  readonly item: number;
  readonly texts: ItemTexts;
  readonly greyBy: GreyBy;
  readonly stop: boolean;
  readonly opened: boolean;
  readonly onToggle: (item: number) => void;
}

function Item({ item, texts, greyBy, stop, opened, onToggle }: ItemProps) {
  const { recording, recorded } = useRecorded();
  const { simulated } = useReplay();
  const { at, item: selected } = useCursor();
  const { select } = useCursorActions();
  const onPress = useCallback(
    (pressed: number) => {
      select(pressed);
      onToggle(pressed);
    },
    [select, onToggle],
  );
  const inRecorded = presenceAt(recorded, item, at);
  const inSimulated = presenceAt(simulated, item, at);
  return (
    <ItemRow
      item={item}
      tokens={recording.tokens[item] ?? 0}
      recorded={inRecorded}
      simulated={inSimulated}
      greyBy={greyBy === "recorded" ? inRecorded : inSimulated}
      selected={selected === item}
      stop={stop}
      opened={opened}
      {...texts.lineOf(item)}
      onPress={onPress}
    />
  );
}
