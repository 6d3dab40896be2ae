import { lazy, Suspense, useMemo } from "react";
import { boundariesOf } from "@/lib/core/columns/columns";
import { useReplay, useSession } from "../shared/state/stores";

// Most rows have no boundary before them.
const Boundary = lazy(async () => ({ default: (await import("./boundary-row")).Boundary }));

/** Maximum number of simulated boundaries listed at one place: further ones add no information. */
const SHOWN = 3;

interface InlineBoundariesProps {
  /** The item of the row before; −1 for none. */
  readonly after: number;
  /** The item after the boundaries; the number of items at the end of the list. */
  readonly to: number;
}

/** The boundaries between two rows, recorded ones first. */
export function InlineBoundaries({ after, to: last }: InlineBoundariesProps) {
  const { columns, recorded } = useSession("columns", "recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  const rows = useMemo(() => boundariesOf(columns, "compaction"), [columns]);
  const { compactions } = simulated;
  const { firstItem } = columns.requests;
  const [from, to] = boundariesBefore(rows.length, (row) => columns.boundaries.item[rows[row] ?? 0] ?? 0, after, last);
  const [simulatedFrom, simulatedTo] =
    choice.policy.id === "recorded"
      ? [0, 0]
      : boundariesBefore(
          compactions.length,
          (ordinal) => firstItem[compactions[ordinal]?.request ?? 0] ?? columns.length,
          after,
          last,
        );
  if (from === to && simulatedFrom === simulatedTo) return null;
  return (
    <Suspense fallback={<div className="min-h-9" />}>
      {recorded.compactions.slice(from, to).map((compaction) => (
        <Boundary key={compaction.request} kind="recorded" compaction={compaction} />
      ))}
      {compactions.slice(simulatedFrom, Math.min(simulatedTo, simulatedFrom + SHOWN)).map((compaction) => (
        <Boundary key={compaction.request} kind="simulated" compaction={compaction} />
      ))}
    </Suspense>
  );
}

/**
 * Ordinals of the boundaries between two items, as a half-open range, found by bisection: if a slider moves thousands of boundaries, only the rows in
 * view are processed.
 * @param count number of boundaries
 * @param after the item before the boundaries
 * @param last the last item that they may precede
 * @param place the item after the boundary of an ordinal, ascending
 */
export function boundariesBefore(
  count: number,
  place: (ordinal: number) => number,
  after: number,
  last: number,
): readonly [number, number] {
  return [
    firstOrdinal(count, (ordinal) => place(ordinal) > after),
    firstOrdinal(count, (ordinal) => place(ordinal) > last),
  ];
}

/** The first ordinal for which a condition holds; `count` if there is none. */
function firstOrdinal(count: number, holds: (ordinal: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
