"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { usePolicyWords } from "@/components/replay/use-words";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useGreyBy, useLens } from "../state/use-view";
import { BoundaryRow } from "./boundary-row";
import { ItemRow } from "./item-row";
import { presenceAt } from "./presence";
import type { TranscriptRow } from "./rows";
import { TranscriptHead } from "./transcript-head";
import { useFollow } from "./use-follow";
import { type ItemTexts, useItemTexts } from "./use-item-texts";
import { useTranscriptRows } from "./use-transcript-rows";

const ROW_PX = 28;
const BOUNDARY_PX = 36;
const NARROW_ROW_PX = 53;

/** The transcript: only what is in view is fetched and drawn. */
export function Transcript({ narrow }: { readonly narrow: boolean }) {
  const t = useTranslations("session.transcript");
  const rows = useTranscriptRows();
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows.at(index).type === "item" ? (narrow ? NARROW_ROW_PX : ROW_PX) : BOUNDARY_PX),
    getItemKey: rows.keyOf,
    overscan: 6,
  });
  const shown = virtualizer.getVirtualItems();
  const texts = useItemTexts(shown.flatMap(({ index }) => itemsOf(rows.at(index))));
  useFollow(virtualizer, rows);
  return (
    <section aria-label={t("title")} className="flex min-h-0 grow flex-col border-t border-line">
      <TranscriptHead />
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        aria-label={t("list")}
        data-testid="transcript"
        className="min-h-60 grow overflow-auto overscroll-contain max-lg:h-[70dvh] max-lg:grow-0"
      >
        <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row row={rows.at(index)} texts={texts} />
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

function itemsOf(row: TranscriptRow): readonly number[] {
  return row.type === "item" ? [row.item] : [];
}

function Row({ row, texts }: { readonly row: TranscriptRow; readonly texts: ItemTexts }) {
  const { recorded } = useRecorded();
  const { simulated } = useReplay();
  if (row.type === "item") return <Item item={row.item} texts={texts} />;
  const compaction =
    row.type === "recorded" ? recorded.compactions[row.boundary] : simulated.compactions[row.compaction];
  return compaction === undefined ? null : <Boundary kind={row.type} compaction={compaction} />;
}

function Item({ item, texts }: { readonly item: number; readonly texts: ItemTexts }) {
  const { tokens, recorded } = useRecorded();
  const { simulated } = useReplay();
  const { at, item: selected } = useCursor();
  const { select } = useCursorActions();
  const [greyBy] = useGreyBy();
  const [opened, setOpened] = useState(false);
  const onPress = useCallback(
    (pressed: number) => {
      select(pressed);
      setOpened((was) => !was);
    },
    [select],
  );
  const inRecorded = presenceAt(recorded, item, at);
  const inSimulated = presenceAt(simulated, item, at);
  return (
    <ItemRow
      item={item}
      tokens={tokens.tokens[item] ?? 0}
      recorded={inRecorded}
      simulated={inSimulated}
      greyBy={greyBy === "recorded" ? inRecorded : inSimulated}
      selected={selected === item}
      opened={opened}
      text={texts.textOf(item)}
      failed={texts.failed(item)}
      onPress={onPress}
    />
  );
}

type BoundaryProps = Pick<Parameters<typeof BoundaryRow>[0], "kind" | "compaction">;

function Boundary({ kind, compaction }: BoundaryProps) {
  const words = usePolicyWords();
  const { choice } = useReplay();
  const { pin } = useCursorActions();
  const [, setLens] = useLens();
  return (
    <BoundaryRow
      kind={kind}
      compaction={compaction}
      policy={words.policy(choice.policy)}
      onDetails={() => {
        pin(compaction.request);
        setLens("boundaries");
      }}
    />
  );
}
