import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { useCursor } from "../state/cursor";
import { useFind } from "../state/find";
import { useReader, useReaderActions } from "../state/reader";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import type { GreyBy } from "../state/url-state";
import { useView } from "../state/view";
import { InlineBoundaries } from "./inline-boundaries";
import { ItemRow } from "./item-row";
import { presenceAt } from "./presence";
import { type Rows, resultInRow } from "./rows";
import { TranscriptHead } from "./transcript-head";
import { useFollow } from "./use-follow";
import { useHighlight } from "./use-highlight";
import { type ItemTexts, useItemTexts } from "./use-item-texts";
import { useRovingRow } from "./use-roving-row";

const ROW_PX = 28;
const NARROW_ROW_PX = 53;

/**
 * The transcript. Only the part in view is fetched and drawn. A row is an item with the boundaries between it and the row before, so that the
 * list's rows stay the same while a slider moves boundaries.
 */
export function Transcript({ narrow }: { readonly narrow: boolean }) {
  const t = useTranslations("session.transcript");
  const { columns } = useSession();
  const { rows, opened } = useReader();
  const { toggle } = useReaderActions();
  const count = rows.items.length;
  const scroller = useRef<HTMLElement>(null);
  const rowPx = narrow ? NARROW_ROW_PX : ROW_PX;
  const estimateSize = useCallback((index: number) => (index < count ? rowPx : 0), [count, rowPx]);
  const { item: selected } = useCursor();
  const { focused, listeners } = useRovingRow(scroller);
  const rangeExtractor = useCallback(
    (range: Range) => withRows(range, rows, selected, focused),
    [rows, selected, focused],
  );
  const virtualizer = useVirtualizer({
    count: count + 1,
    getScrollElement: () => scroller.current,
    estimateSize,
    rangeExtractor,
    // The row behind the last item is not that item when the session goes on.
    getItemKey: useCallback((index: number) => rows.items[index] ?? "end", [rows]),
    overscan: 6,
  });
  // A row that grows keeps its top where it is; only what changes wholly above the view moves the view along.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ end }, _by, { scrollOffset }) =>
    end <= (scrollOffset ?? 0);
  const shown = virtualizer.getVirtualItems();
  // The only row that is a Tab stop; arrow keys go on from there.
  const stopItem = focused ?? selected;
  const stop = (stopItem === null ? virtualizer.range?.startIndex : rows.rowOf[stopItem]) ?? 0;
  const texts = useItemTexts(shown.flatMap(({ index }) => rows.items[index] ?? []));
  const { greyBy, isReading } = useView();
  useFollow(virtualizer, rowPx);
  const { found, text: wanted } = useFind();
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

/** The rows in view, and the rows that have to stay drawn wherever they are. */
function withRows(range: Range, { rowOf }: Rows, ...items: readonly (number | null)[]): number[] {
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
  const { columns } = useSession();
  const { rows } = useReader();
  const { recording, recorded } = useRecorded();
  const { simulated } = useReplay();
  const { at, hover, pin, item: selected } = useCursor();
  const result = resultInRow(rows, columns, item);
  // What fills a row is the result, where there is one.
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
      // Nothing is grey before somebody has pointed at a request.
      greyBy={isPointed ? presenceAt(greyBy === "recorded" ? recorded : simulated, last, at) : "in"}
      selected={selected !== null && rows.rowOf[selected] === rows.rowOf[item]}
      stop={stop}
      opened={opened}
      {...texts.lineOf(last)}
      onPress={onPress}
    />
  );
}
