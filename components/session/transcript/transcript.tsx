import {
  defaultRangeExtractor,
  useVirtualizer,
  type Virtualizer,
  type Range as VisibleRange,
} from "@tanstack/react-virtual";
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { type ItemTexts, useItemTexts } from "../shared/items/use-item-texts";
import { isFolded, isOpen, isSpoken } from "../shared/state/open-rows";
import { itemOfRequest, neighbour, type Rows, resultInRow } from "../shared/state/rows";
import { useReplay, useSession, useView, useViewActions } from "../shared/state/stores";
import { traceFrom } from "../shared/state/turns";
import type { GreyBy } from "../shared/state/url-state";
import { pointedRequest } from "../shared/state/view";
import { InlineBoundaries } from "./inline-boundaries";
import { ItemRow, presenceAt } from "./item-row";
import { TraceHead } from "./trace-head";
import { TranscriptHead } from "./transcript-head";
import { useRovingRow } from "./use-roving-row";

const FindHighlight = lazy(async () => ({ default: (await import("./find-highlight")).FindHighlight }));

const ROW_PX = 28;
const NARROW_ROW_PX = 53;

/**
 * The transcript. Only the visible part is fetched and rendered. A row is an item with the boundaries between it and the previous row, so that the
 * list's rows stay the same while a slider moves boundaries.
 */
export function Transcript({ narrow }: { readonly narrow: boolean }) {
  const t = useTranslations("session.transcript");
  const { columns } = useSession("columns");
  const { rows, turns, open } = useView("rows", "turns", "open");
  const {
    item: selected,
    greyBy,
    isReading,
    found,
    findText: wanted,
  } = useView("item", "greyBy", "isReading", "found", "findText");
  const isUsed = useIsUsed() || selected !== null || isReading;
  const count = rows.items.length;
  const scroller = useRef<HTMLElement>(null);
  const rowPx = narrow ? NARROW_ROW_PX : ROW_PX;
  const { chars } = columns;
  const estimateSize = useCallback(
    (index: number) => {
      const item = rows.items[index];
      if (item === undefined) return 0;
      return rowPx + (isOpen({ turns }, open, item) ? textPx(chars[item] ?? 0) : 0);
    },
    [rows, turns, open, chars, rowPx],
  );
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
  useKeptPlace(virtualizer);
  const marked = found === undefined ? "" : wanted.trim();
  return (
    <section
      aria-label={t("title")}
      className="flex min-h-0 grow flex-col max-lg:border-t max-lg:border-line print:hidden"
    >
      <TranscriptHead />
      {marked !== "" && (
        <Suspense>
          <FindHighlight list={scroller} text={marked} />
        </Suspense>
      )}
      <section
        ref={scroller}
        aria-label={t("list")}
        data-testid="transcript"
        className={cn(
          "grow overflow-auto overscroll-contain max-lg:min-h-60 max-lg:grow-0",
          isReading ? "max-lg:h-[calc(100dvh-3rem)]" : "max-lg:h-[70dvh]",
        )}
      >
        <ol
          className={cn("relative", isReading && turns !== undefined && "mx-auto max-w-[50rem]")}
          {...listeners}
          style={{ height: virtualizer.getTotalSize() }}
        >
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
                <Row item={rows.items[index]} texts={texts} greyBy={greyBy} stop={index === stop} isUsed={isUsed} />
              )}
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

/** The rows in view, and the rows that stay rendered at any scroll position. */
function withRows(range: VisibleRange, { rowOf }: Rows, ...items: readonly (number | null)[]): number[] {
  const shown = new Set(defaultRangeExtractor(range));
  for (const item of items) {
    const row = item === null ? undefined : rowOf[item];
    if (row !== undefined) shown.add(row);
  }
  return [...shown].sort((a, b) => a - b);
}

/** Height of a text before it is measured, in pixels: lines of 90 characters, up to a screenful. */
function textPx(chars: number): number {
  return 24 + 20 * Math.min(60, Math.ceil(chars / 90));
}

const SIGNS_OF_USE = ["pointermove", "keydown", "wheel", "touchstart"] as const;

/** True after the first sign of use: the code for texts loads then, so that opening the page stays within its size limit. */
function useIsUsed(): boolean {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => {
    if (isUsed) return;
    const use = () => {
      setUsed(true);
      // A moved slider may show the first boundary, and must not wait for its code then.
      void import("./boundary-row");
    };
    for (const sign of SIGNS_OF_USE) window.addEventListener(sign, use, { passive: true });
    return () => {
      for (const sign of SIGNS_OF_USE) window.removeEventListener(sign, use);
    };
  }, [isUsed]);
  return isUsed;
}

interface RowProps {
  readonly item: number;
  readonly texts: ItemTexts;
  readonly greyBy: GreyBy;
  readonly stop: boolean;
  readonly isUsed: boolean;
}

/** A row: an item, below the head of the trace that begins with it. */
function Row(props: RowProps) {
  const { item, stop } = props;
  const { turns, open, rows, item: selected } = useView("turns", "open", "rows", "item");
  const trace = turns && traceFrom(turns, item);
  if (turns === undefined || trace === undefined) return <Item {...props} />;
  const folded = isFolded(turns, open, item);
  const isSelected = selected !== null && rows.rowOf[selected] === rows.rowOf[item];
  return (
    <>
      <TraceHead turns={turns} trace={trace} isFolded={folded} stop={stop} selected={isSelected} />
      {!folded && <Item {...props} />}
    </>
  );
}

function Item({ item, texts, greyBy, stop, isUsed }: RowProps) {
  const { columns, recording, recorded } = useSession("columns", "recording", "recorded");
  const { rows, turns, open, hover, pin, isReading } = useView("rows", "turns", "open", "hover", "pin", "isReading");
  const { item: selected } = useView("item");
  const { toggle } = useViewActions();
  const { simulated } = useReplay("simulated");
  const at = useView(pointedRequest);
  const result = resultInRow(rows, columns, item);
  // The row shows its result, if there is one.
  const last = result ?? item;
  const isPointed = !isReading && (hover !== null || pin !== null);
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
      // Nothing is grey before a request is pointed at, and no text in the read mode.
      greyBy={isPointed ? presenceAt(greyBy === "recorded" ? recorded : simulated, last, at) : "in"}
      selected={selected !== null && rows.rowOf[selected] === rows.rowOf[item]}
      stop={stop}
      opened={isOpen({ turns }, open, item)}
      isSpoken={turns !== undefined && isSpoken(turns, item)}
      isUsed={isUsed}
      {...texts.lineOf(last)}
      onPress={toggle}
    />
  );
}

type List = Virtualizer<HTMLElement, Element>;

/** Scrolls the selected item into view, unless its first line is in view: a pressed row does not move. */
function useFollow(list: List, rowPx: number): void {
  const { columns } = useSession("columns");
  const { item: selected, pin, rows, turns, open } = useView("item", "pin", "rows", "turns", "open");
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  // Rows that come, go or open do not scroll the list.
  const latest = useRef({ rows, turns, open });
  latest.current = { rows, turns, open };
  useEffect(() => {
    if (item === null) return;
    const { rows: shown, turns: grouped, open: opened } = latest.current;
    const row = shown.rowOf[item] ?? 0;
    const measured = list.measurementsCache[row];
    // A row that has just been opened is not measured yet.
    const isHigh = isOpen({ turns: grouped }, opened, neighbour(shown, item, 0));
    const place = measured && { start: measured.start, size: isHigh ? Number.POSITIVE_INFINITY : measured.size };
    // Read from the element itself, because the list learns of a scroll one frame later.
    const view = { from: list.scrollElement?.scrollTop ?? 0, height: list.scrollRect?.height ?? 0 };
    const align = place === undefined ? "center" : alignment(place, view, rowPx);
    if (align !== undefined) list.scrollToIndex(row, { align });
  }, [item, list, rowPx]);
}

/** Keeps the first visible row at its position when the transcript changes between turns and items. */
function useKeptPlace(list: List): void {
  const { rows, listBy, open } = useView("rows", "listBy", "open");
  const first = useRef(0);
  const way = `${listBy} ${open.expanded}`;
  const last = useRef(way);
  useLayoutEffect(() => {
    if (last.current !== way) list.scrollToIndex(rows.rowOf[first.current] ?? 0, { align: "start" });
    last.current = way;
  }, [list, rows, way]);
  useEffect(() => {
    first.current = rows.items[list.range?.startIndex ?? 0] ?? 0;
  });
}

/** A row at most this many rows out of view is scrolled to the edge; a farther one to the middle. */
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
