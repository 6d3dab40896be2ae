import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { boundariesOf } from "@/lib/core/columns/columns";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type BoundaryKind, boundaryKind, sizeAfter } from "../shared/boundaries/entries";
import { BoundaryIcon } from "../shared/items/item-label";
import { useReplay, useSession, useViewActions } from "../shared/state/stores";

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
  return (
    <>
      {recorded.compactions.slice(from, to).map((compaction) => (
        <Boundary key={compaction.request} kind="recorded" compaction={compaction} />
      ))}
      {compactions.slice(simulatedFrom, Math.min(simulatedTo, simulatedFrom + SHOWN)).map((compaction) => (
        <Boundary key={compaction.request} kind="simulated" compaction={compaction} />
      ))}
    </>
  );
}

interface BoundaryProps {
  readonly kind: "recorded" | "simulated";
  readonly compaction: SimulatedCompaction;
}

function Boundary({ kind, compaction }: BoundaryProps) {
  const words = usePolicyWords();
  const { policy } = useReplay(({ chosen }) => chosen);
  const { openRequest } = useViewActions();
  return (
    <BoundaryRow
      kind={kind}
      compaction={compaction}
      what={boundaryKind(compaction, kind === "recorded" ? {} : policy)}
      policy={words.policy(policy)}
      onDetails={() => openRequest(compaction.request, "boundaries")}
    />
  );
}

/**
 * Ordinals of the boundaries between two items, as a half-open range. It is found by bisection: if a slider moves thousands of
 * boundaries, only the rows in view are processed.
 * @param count number of boundaries
 * @param after the boundaries come after this item
 * @param last and before or at this one
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

interface BoundaryRowProps {
  readonly kind: "recorded" | "simulated";
  readonly what: BoundaryKind;
  readonly policy: string;
  readonly compaction: SimulatedCompaction;
  readonly onDetails: () => void;
}

/** A boundary in the transcript, with its effect: a rule on top, in ink or accent, quieter for boundaries other than compactions. */
function BoundaryRow({ kind, what, policy, compaction, onDetails }: BoundaryRowProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const simulated = kind === "simulated";
  const major = what === "compaction";
  const { columns } = useSession("columns");
  const { request, tokensBefore } = compaction;
  const after = sizeAfter(compaction, columns);
  const before = comparableBefore(compaction);
  const at = major ? t("at", { trigger: t(`trigger.${compaction.trigger}`), request }) : t("atRequest", { request });
  return (
    <div
      data-inline-boundary={kind}
      className={cn(
        "flex flex-wrap items-center gap-x-3 border-t pr-4 pl-6",
        major ? "min-h-9 bg-panel py-1" : "min-h-7 text-sm",
        simulated ? "border-dashed border-accent" : "border-t1",
      )}
    >
      <BoundaryIcon className={cn("size-3.5", simulated ? "text-accent" : "text-t1")} />
      <span className={cn(major && "font-semibold", simulated && "text-accent")}>
        {simulated ? t(`would.${what}`, { policy }) : t("recorded")}
      </span>
      <span className="text-sm text-t2">{at}</span>
      <span className="text-sm">
        {format.count(tokensBefore)} → <Value>{after === null ? null : format.count(after)}</Value>
      </span>
      {before !== tokensBefore && after !== null && (
        <span className="text-sm text-t2">
          {t("sameCount", { before: format.count(before), after: format.count(after) })}
        </span>
      )}
      <span className="grow text-sm text-t2">
        <Changed compaction={compaction} />
      </span>
      <Button variant="ghost" onClick={onDetails}>
        {t("details")}
      </Button>
    </div>
  );
}

/** Number of removed items, or of results made smaller. */
function Changed({ compaction }: { readonly compaction: SimulatedCompaction }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { droppedItems } = compaction;
  if (droppedItems > 0) return t("droppedShort", { dropped: format.count(droppedItems) });
  const count = compaction.cleared.length + compaction.truncated.length;
  return count > 0 ? t("changedShort", { count }) : null;
}
