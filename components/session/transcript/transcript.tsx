import {
  defaultRangeExtractor,
  useVirtualizer,
  type Virtualizer,
  type Range as VisibleRange,
} from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { type ItemTexts, useItemTexts } from "../shared/items/use-item-texts";
import { itemOfRequest, neighbour, type Rows, resultInRow } from "../shared/state/rows";
import { useReplay, useSession, useView, useViewActions } from "../shared/state/stores";
import type { GreyBy } from "../shared/state/url-state";
import { pointedRequest } from "../shared/state/view";
import { InlineBoundaries } from "./inline-boundaries";
import { ItemRow, presenceAt } from "./item-row";
import { TranscriptHead } from "./transcript-head";
import { useRovingRow } from "./use-roving-row";

const ROW_PX = 28;
const NARROW_ROW_PX = 53;

/**
 * The transcript. Only the part in view is fetched and rendered. A row is an item with the boundaries between it and the row before, so that
 * the list's rows stay the same while a slider moves boundaries.
 */
export function Transcript({ narrow }: { readonly narrow: boolean }) {
  const t = useTranslations("session.transcript");
  const { columns } = useSession("columns");
  const {
    rows,
    opened,
    item: selected,
    greyBy,
    isReading,
    found,
    findText: wanted,
  } = useView("rows", "opened", "item", "greyBy", "isReading", "found", "findText");
  const { toggle } = useViewActions();
  const count = rows.items.length;
  const scroller = useRef<HTMLElement>(null);
  const rowPx = narrow ? NARROW_ROW_PX : ROW_PX;
  const estimateSize = useCallback((index: number) => (index < count ? rowPx : 0), [count, rowPx]);
  const { focused, listeners } = useRovingRow(scroller);
  const rangeExtractor = useCallback(
    (range: VisibleRange) => withRows(range, rows, selected, focused),
    [rows, selected, focused],
  );
  const virtualizer = useVirtualizer({
    count: count + 1,
    getScrollElement: () => scroller.current,
    estimateSize,
    rangeExtractor,
    // When the session grows, the row after the last item gets another item.
    getItemKey: useCallback((index: number) => rows.items[index] ?? "end", [rows]),
    overscan: 6,
  });
  // A growing row keeps its top; only changes fully above the view scroll the list.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ end }, _by, { scrollOffset }) =>
    end <= (scrollOffset ?? 0);
  const shown = virtualizer.getVirtualItems();
  // The only row that is a Tab stop; arrow keys continue from there.
  const stopItem = focused ?? selected;
  const stop = (stopItem === null ? virtualizer.range?.startIndex : rows.rowOf[stopItem]) ?? 0;
  const texts = useItemTexts(shown.flatMap(({ index }) => rows.items[index] ?? []));
  useFollow(virtualizer, rowPx);
  useHighlight(scroller, found === undefined ? "" : wanted.trim());
  return (
    <section
      aria-label={t("title")}
      className="flex min-h-0 grow flex-col max-lg:border-t max-lg:border-line print:hidden"
    >
      <TranscriptHead />
      <section
        ref={scroller}
        aria-label={t("list")}
        data-testid="transcript"
        className={cn(
          "grow overflow-auto overscroll-contain max-lg:min-h-60 max-lg:grow-0",
          isReading ? "max-lg:h-[calc(100dvh-3rem)]" : "max-lg:h-[70dvh]",
        )}
      >
        <ol className="relative" {...listeners} style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={count}
              aria-posinset={Math.min(index + 1, count)}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <InlineBoundaries after={rows.items[index - 1] ?? -1} to={rows.items[index] ?? columns.length} />
              {rows.items[index] !== undefined && (
                <Item
                  item={rows.items[index]}
                  texts={texts}
                  greyBy={greyBy}
                  stop={index === stop}
                  opened={opened.has(rows.items[index])}
                  onPress={toggle}
                />
              )}
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

/** The rows in view, and the rows that stay rendered anywhere. */
function withRows(range: VisibleRange, { rowOf }: Rows, ...items: readonly (number | null)[]): number[] {
  const shown = new Set(defaultRangeExtractor(range));
  for (const item of items) {
    const row = item === null ? undefined : rowOf[item];
    if (row !== undefined) shown.add(row);
  }
  return [...shown].sort((a, b) => a - b);
}

interface ItemProps {
  readonly item: number;
  readonly texts: ItemTexts;
  readonly greyBy: GreyBy;
  readonly stop: boolean;
  readonly opened: boolean;
  readonly onPress: (item: number) => void;
}

function Item({ item, texts, greyBy, stop, opened, onPress }: ItemProps) {
  const { columns, recording, recorded } = useSession("columns", "recording", "recorded");
  const { rows, hover, pin, item: selected } = useView("rows", "hover", "pin", "item");
  const { simulated } = useReplay("simulated");
  const at = useView(pointedRequest);
  const result = resultInRow(rows, columns, item);
  // A row is filled by its result, if there is one.
  const last = result ?? item;
  const isPointed = hover !== null || pin !== null;
  return (
    <ItemRow
      item={item}
      result={result}
      tokens={recording.tokens[item] ?? 0}
      resultTokens={result === undefined ? 0 : (recording.tokens[result] ?? 0)}
      recorded={presenceAt(recorded, item, at)}
      simulated={presenceAt(simulated, item, at)}
      resultRecorded={result === undefined ? undefined : presenceAt(recorded, result, at)}
      resultSimulated={result === undefined ? undefined : presenceAt(simulated, result, at)}
      // Nothing is grey before the user has pointed at a request.
      greyBy={isPointed ? presenceAt(greyBy === "recorded" ? recorded : simulated, last, at) : "in"}
      selected={selected !== null && rows.rowOf[selected] === rows.rowOf[item]}
      stop={stop}
      opened={opened}
      {...texts.lineOf(last)}
      onPress={onPress}
    />
  );
}

/** The name of the highlights in the style sheet. */
const NAME = "find";
/** Maximum number of marked matches: a screen shows fewer. */
const MOST_MARKED = 1000;

/**
 * Marks every match of a text in the visible rows. The browser draws the highlights over the text, so components that show texts need not know of
 * them; browsers without the feature show none.
 */
function useHighlight(list: RefObject<HTMLElement | null>, text: string): void {
  useEffect(() => {
    const element = list.current;
    if (element === null || text === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      CSS.highlights.set(NAME, new Highlight(...placesOf(element, text.toLowerCase())));
    };
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    later();
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [list, text]);
}

function placesOf(element: HTMLElement, text: string): readonly Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const places: Range[] = [];
  for (let node = walker.nextNode(); node !== null && places.length < MOST_MARKED; node = walker.nextNode()) {
    const shown = (node.nodeValue ?? "").toLowerCase();
    // The few letters whose lower case is longer shift all positions.
    if (shown.length !== node.nodeValue?.length) continue;
    for (
      let at = shown.indexOf(text);
      at >= 0 && places.length < MOST_MARKED;
      at = shown.indexOf(text, at + text.length)
    ) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      places.push(range);
    }
  }
  return places;
}

type List = Virtualizer<HTMLElement, Element>;

/** Scrolls the selected item into view, unless its first line is in view: a pressed row does not move. */
function useFollow(list: List, rowPx: number): void {
  const { columns } = useSession("columns");
  const { item: selected, pin, rows, opened } = useView("item", "pin", "rows", "opened");
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  // Rows that are added, removed or opened do not scroll the list.
  const latest = useRef({ rows, opened });
  latest.current = { rows, opened };
  useEffect(() => {
    if (item === null) return;
    const { rows: shown, opened: open } = latest.current;
    const row = shown.rowOf[item] ?? 0;
    const measured = list.measurementsCache[row];
    // A newly opened row is not measured yet.
    const isOpen = open.has(neighbour(shown, item, 0));
    const place = measured && { start: measured.start, size: isOpen ? Number.POSITIVE_INFINITY : measured.size };
    // The element itself: the list receives a scroll one frame later.
    const view = { from: list.scrollElement?.scrollTop ?? 0, height: list.scrollRect?.height ?? 0 };
    const align = place === undefined ? "center" : alignment(place, view, rowPx);
    if (align !== undefined) list.scrollToIndex(row, { align });
  }, [item, list, rowPx]);
}

/** Distance within which a row outside the view scrolls to the edge, in rows; a farther one scrolls to the middle. */
const NEAR_ROWS = 4;

/**
 * Scroll target of a row, in pixels of the list; `undefined` if its first line is in view.
 * @param row its position and height
 * @param line height of its first line
 */
export function alignment(
  row: { readonly start: number; readonly size: number },
  view: { readonly from: number; readonly height: number },
  line: number,
): "start" | "center" | "end" | undefined {
  const above = view.from - row.start;
  const below = row.start + line - (view.from + view.height);
  if (above <= 0 && below <= 0) return undefined;
  // A row taller than the view is shown from its beginning.
  if (above > 0 || row.size > view.height / 2)
    return above > NEAR_ROWS * line && row.size <= 2 * line ? "center" : "start";
  return below > NEAR_ROWS * line ? "center" : "end";
}
