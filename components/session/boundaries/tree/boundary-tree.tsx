import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { comparableBefore } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { isRun } from "../../shared/boundaries/runs";
import { BoundaryTreeRow } from "./tree-row";
import { type BoundarySection, type TreeRow, treeMove, treeRows } from "./tree-rows";

const HEIGHTS = { section: 32, run: 53, entry: 65 } as const;

interface BoundaryTreeProps {
  readonly sections: readonly BoundarySection[];
  readonly chosen: BoundaryEntry;
  readonly policy: string;
  readonly onChoose: (entry: BoundaryEntry) => void;
}

/** All boundaries, with runs folded. Only the rows in view are rendered. The tree is one Tab stop; arrow keys move within it. */
export function BoundaryTree({ sections, chosen, policy, onChoose }: BoundaryTreeProps) {
  const t = useTranslations("session.boundary");
  const scroller = useRef<HTMLDivElement>(null);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const rows = useMemo(() => treeRows(sections, turned), [sections, turned]);
  const current = rows.findIndex((row) => holds(row, chosen));
  const last = rows.findIndex(({ key }) => key === focused);
  const stop = Math.max(0, last >= 0 ? last : current);
  const most = useMemo(() => mostBefore(sections), [sections]);
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), stop])].sort(ascending),
    [stop],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => HEIGHTS[rows[index]?.type ?? "entry"],
    rangeExtractor,
    overscan: 8,
  });
  // Scrolls to a boundary that was selected elsewhere, by a key or in the transcript. Unfolding a row does not scroll.
  const follow = useRef(() => {});
  follow.current = () => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: "auto" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when another boundary is selected
  useEffect(() => follow.current(), [chosen.key]);
  const press = useCallback(
    (row: TreeRow) => {
      setFocused(row.key);
      if (row.type === "entry") onChoose(row.entry);
      else setTurned((was) => toggled(was, row.key));
    },
    [onChoose],
  );
  const goTo = (index: number) => {
    setFocused(rows[index]?.key ?? null);
    virtualizer.scrollToIndex(index, { align: "auto" });
    // The next frame renders the row.
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector(`[data-index="${index}"]`);
      if (row instanceof HTMLElement) row.focus({ preventScroll: true });
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[stop];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = treeMove(event.key, rows, stop);
    if (event.key === "Enter" || event.key === " ") press(row);
    else if (move === "turn") setTurned((was) => toggled(was, row.key));
    else if (move !== undefined) goTo(move);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      data-testid="boundary-list"
      className="min-h-0 overflow-y-auto max-lg:max-h-[45dvh] max-lg:overscroll-contain max-lg:border-b max-lg:border-line"
    >
      <div
        role="tree"
        aria-label={t("list")}
        className="relative"
        onKeyDown={onKeyDown}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <BoundaryTreeRow
              key={key}
              ref={virtualizer.measureElement}
              row={row}
              index={index}
              start={start}
              chosen={index === current}
              stop={index === stop}
              most={most}
              policy={policy}
              onPress={press}
            />
          );
        })}
      </div>
    </div>
  );
}

/** True if a row is the boundary, or contains it while folded. */
function holds(row: TreeRow, { key }: BoundaryEntry): boolean {
  if (row.type === "entry") return row.entry.key === key;
  return row.type === "run" && !row.open && row.run.entries.some((entry) => entry.key === key);
}

function mostBefore(sections: readonly BoundarySection[]): number {
  let most = 1;
  for (const { listed } of sections) {
    for (const one of listed) {
      for (const { compaction } of isRun(one) ? one.entries : [one])
        most = Math.max(most, comparableBefore(compaction));
    }
  }
  return most;
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

const ascending = (one: number, other: number): number => one - other;
