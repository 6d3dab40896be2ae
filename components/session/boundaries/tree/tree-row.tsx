import { ChevronRight } from "lucide-react";
import { memo, type Ref } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type BoundaryEntry, changeShare, sizeAfter } from "../../shared/boundaries/entries";
import { boundaryFlags, useBoundaryName } from "../../shared/boundaries/flags";
import { type BoundaryRun, firstOf, lastOf, runSavings } from "../../shared/boundaries/runs";
import { BoundaryIcon } from "../../shared/items/item-label";
import { useSession } from "../../shared/state/stores";
import { BoundaryCostLine } from "./boundary-cost";
import type { TreeRow } from "./tree-rows";

interface BoundaryTreeRowProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly row: TreeRow;
  readonly index: number;
  /** Its vertical position in the list, in pixels. */
  readonly start: number;
  /** The largest context before any boundary: all bars share its scale. */
  readonly most: number;
  readonly chosen: boolean;
  /** True if this row is the tree's Tab stop. */
  readonly stop: boolean;
  readonly policy: string;
  readonly onPress: (row: TreeRow) => void;
}

/** A row of the list of boundaries: a section's head, a run of boundaries, or a single boundary. */
export const BoundaryTreeRow = memo(function BoundaryTreeRow(props: BoundaryTreeRowProps) {
  const { ref, row, index, start, most, chosen, stop, policy, onPress } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all of its rows
    <div
      ref={ref}
      role="treeitem"
      tabIndex={stop ? 0 : -1}
      data-index={index}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.type === "entry" ? undefined : row.open}
      aria-selected={row.type === "section" ? undefined : chosen}
      {...(row.type === "entry" ? { "data-boundary-entry": row.entry.kind } : {})}
      {...(row.type === "run" ? { "data-boundary-run": row.run.what } : {})}
      onClick={() => onPress(row)}
      className={cn(
        "absolute inset-x-0 top-0 cursor-pointer border-b border-l-2 border-b-line border-l-transparent -outline-offset-2 hover:bg-sunk",
        chosen && "border-l-accent bg-sunk",
      )}
      style={{ transform: `translateY(${start}px)` }}
    >
      {row.type === "section" && <SectionRow row={row} policy={policy} />}
      {row.type === "run" && <RunRow run={row.run} open={row.open} />}
      {row.type === "entry" && <EntryRow entry={row.entry} most={most} inner={row.level === 3} />}
    </div>
  );
});

function Chevron({ open }: { readonly open: boolean }) {
  return <ChevronRight aria-hidden className={cn("mt-0.5 size-3.5 shrink-0 text-t3", open && "rotate-90")} />;
}

interface SectionRowProps {
  readonly row: Extract<TreeRow, { type: "section" }>;
  readonly policy: string;
}

function SectionRow({ row: { kind, count, open }, policy }: SectionRowProps) {
  const t = useTranslations("session.boundary");
  return (
    <span className="flex min-h-8 items-center gap-2 px-3.5 py-1 text-sm text-t2 touch:min-h-10">
      <Chevron open={open} />
      {kind === "recorded" ? t("recordedCount", { count }) : t("simulatedCount", { count, policy })}
    </span>
  );
}

function RunRow({ run, open }: { readonly run: BoundaryRun; readonly open: boolean }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { tokens, each } = runSavings(run);
  const change = format.difference(-tokens);
  return (
    <span className="flex gap-3 px-3.5 py-2">
      <Chevron open={open} />
      <span className="-mt-px min-w-0 grow">
        <span className="block font-medium">{t(`run.${run.what}`, { count: run.entries.length })}</span>
        <span className="flex flex-wrap justify-between gap-x-2 text-sm text-t2">
          <span>{t("requests", { from: firstOf(run).compaction.request, to: lastOf(run).compaction.request })}</span>
          <span>{tokens === 0 ? t("runUnchanged") : t(each ? "runEach" : "runSum", { change })}</span>
        </span>
      </span>
    </span>
  );
}

interface EntryRowProps {
  readonly entry: BoundaryEntry;
  readonly most: number;
  /** True if it belongs to an unfolded run. */
  readonly inner: boolean;
}

function EntryRow({ entry, most, inner }: EntryRowProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const nameOf = useBoundaryName();
  const { compaction, kind } = entry;
  const { columns } = useSession("columns");
  const { tokensBefore } = compaction;
  const after = sizeAfter(compaction, columns);
  const before = comparableBefore(compaction);
  // One flag is enough: a boundary that reduced nothing also kept too much.
  const flag = boundaryFlags(entry.what, compaction).at(-1);
  const share = changeShare(before, after);
  const change = share === null ? null : <span className="text-sm">{format.change(share)}</span>;
  return (
    <span className={cn("flex gap-3 px-3.5 py-2", inner && "pl-10")}>
      <BoundaryIcon className={cn("mt-1 size-3.5", kind === "simulated" ? "text-accent" : "text-t1")} />
      <span className="min-w-0 grow">
        <span className="flex justify-between gap-2">
          <span className="min-w-0 truncate font-medium">{nameOf(entry)}</span>
          <span className="shrink-0 text-sm text-t2">{t("request", { request: compaction.request })}</span>
        </span>
        <span className="flex justify-between gap-2 text-sm text-t2">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2">
            <span>
              {format.count(tokensBefore)} → <Value>{after === null ? null : format.count(after)}</Value>
            </span>
            {flag !== undefined && <Chip>{t(`flag.${flag}`)}</Chip>}
          </span>
          {before === tokensBefore && change}
        </span>
        {before !== tokensBefore && after !== null && (
          <span className="flex flex-wrap justify-between gap-x-2 text-sm text-t2">
            <span>{t("sameCount", { before: format.count(before), after: format.count(after) })}</span>
            {change}
          </span>
        )}
        <BoundaryCostLine entry={entry} />
        <Bars compaction={compaction} after={after} most={most} simulated={kind === "simulated"} />
      </span>
    </span>
  );
}

interface BarsProps {
  readonly compaction: SimulatedCompaction;
  /** `null` if unknown. */
  readonly after: number | null;
  readonly most: number;
  readonly simulated: boolean;
}

/** The context before and after, counted and scaled alike. */
function Bars({ compaction, after, most, simulated }: BarsProps) {
  const width = (tokens: number): string => `${(tokens / most) * 100}%`;
  return (
    <svg aria-hidden="true" width="100%" height="10" className="mt-1 block">
      <rect width={width(comparableBefore(compaction))} height="4" className="fill-c-calls" />
      {after !== null && (
        <rect width={width(after)} y="6" height="4" className={simulated ? "fill-accent" : "fill-t1"} />
      )}
    </svg>
  );
}
