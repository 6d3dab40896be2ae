import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { bandOfCategory } from "@/components/charts/bands";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Term } from "@/components/glossary/term";
import {
  type BoundaryItem,
  type BoundaryParts,
  ITEM_STATES,
  type ItemState,
} from "@/lib/core/compaction/boundary-items";
import { comparableBefore } from "@/lib/core/compaction/simulation/simulated-compaction";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { type BoundaryEntry, sizeAfter } from "../../shared/boundaries/entries";
import { useSession } from "../../shared/state/stores";
import { FateSwatch } from "./fate-strip";

interface SumTableProps {
  readonly entry: BoundaryEntry;
  readonly parts: BoundaryParts;
}

/** The contexts before and after a boundary as sums of their parts, by one count. */
export function SumTable({ entry, parts }: SumTableProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns } = useSession("columns");
  const { compaction } = entry;
  const sums = boundarySums({
    ...parts,
    before: comparableBefore(compaction),
    after: sizeAfter(compaction, columns),
  });
  const categoryOf = ({ item, synthetic }: BoundaryItem) =>
    synthetic?.category ?? categoryOfCode(columns.category[item] ?? -1);
  const size = (tokens: number | null) => <Value>{tokens === null ? null : format.count(tokens)}</Value>;
  return (
    <ExportedTable
      className="mt-4 max-w-140"
      data-testid="boundary-sums"
      caption={t("sumsTitle")}
      rows={sums.rows}
      rowKey={({ id }) => id}
      rowProps={({ id }) => ({ "data-metric": id })}
      columns={[
        {
          head: t("sumsPart"),
          namesRow: true,
          className: "pl-0",
          cellClass: "h-6",
          cell: ({ id, after }) => (
            <>
              <PartName id={id} />
              {id === "added" && <AddedParts parts={addedParts(parts.items, categoryOf, after ?? 0)} />}
            </>
          ),
          value: ({ id }) => (isState(id) ? t(`state.${id}`) : t(`sums.${id}`)),
          foot: t("sumsContext"),
        },
        {
          head: t("droppedItems"),
          numeric: true,
          cellClass: "text-t2",
          cell: ({ items: count }) => (count === undefined ? "" : format.count(count)),
          value: ({ items: count }) => count ?? null,
        },
        {
          head: t("sumsBefore"),
          numeric: true,
          cell: ({ before }) => size(before),
          value: ({ before }) => before,
          foot: size(sums.before),
        },
        {
          head: t("sumsAfter"),
          numeric: true,
          className: "pr-0",
          cell: (row) => (isSealed(row, entry.kind) ? <Value>{null}</Value> : size(row.after)),
          value: (row) => (isSealed(row, entry.kind) ? null : row.after),
          foot: size(sums.after),
        },
      ]}
    />
  );
}

/** True if the added items include an encrypted summary, whose tokens cannot be attributed. */
function isSealed({ id, after }: SumRow, kind: BoundaryEntry["kind"]): boolean {
  return kind === "recorded" && id === "added" && after === 0;
}

function PartName({ id }: Pick<SumRow, "id">) {
  const band = bandOfCategory(id === "overhead" ? "overheadInferred" : id);
  return (
    <span className="flex items-center gap-2">
      {isState(id) ? <FateSwatch fate={id} /> : band !== undefined && <Swatch band={band} className="size-2.5" />}
      <PartWords id={id} />
    </span>
  );
}

/** Names the parts of the added tokens: the summary is only one of them. */
function AddedParts({ parts }: { readonly parts: readonly AddedPart[] }) {
  const t = useTranslations("session.category");
  const format = useFormat();
  if (parts.length === 0) return null;
  return (
    <span className="block text-sm text-t2" data-testid="added-parts">
      {parts.map(({ category, tokens }) => `${t(category as "messages")} ${format.count(tokens)}`).join(" · ")}
    </span>
  );
}

function PartWords({ id }: Pick<SumRow, "id">) {
  const t = useTranslations("session.boundary");
  if (id === "unattributed") return <Term id="notAttributed">{t(`sums.${id}`)}</Term>;
  if (id === "overhead") return <Term id="overhead">{t(`sums.${id}`)}</Term>;
  return id === "kept" ? <Term id="kept">{t(`state.${id}`)}</Term> : t(`state.${id}`);
}

function isState(id: SumRow["id"]): id is ItemState {
  return id !== "overhead" && id !== "unattributed";
}

/** A part of the context before and after a boundary. */
interface SumRow {
  /** `overhead`: sent with the messages. `unattributed`: tokens of no item. */
  readonly id: ItemState | "overhead" | "unattributed";
  /** Absent for parts without items. */
  readonly items?: number;
  readonly before: number;
  /** `null` if no request follows the boundary: the context after it is unknown. */
  readonly after: number | null;
}

interface BoundarySums {
  readonly rows: readonly SumRow[];
  readonly before: number;
  readonly after: number | null;
}

interface SumsInput extends BoundaryParts {
  readonly before: number;
  readonly after: number | null;
}

/**
 * The contexts before and after a boundary as sums of their parts. Parts without items or tokens are left out. Parts that exceed a context are scaled
 * down to it: a failed compaction states the recorded size, but the estimates of the items.
 */
export function boundarySums({ items, overhead, before, after }: SumsInput): BoundarySums {
  const parts = [
    { id: "overhead" as const, of: overhead },
    ...ITEM_STATES.map((id) => ({ id, of: items.filter(({ state }) => state === id) })),
  ].filter(({ id, of }) => id === "overhead" || of.length > 0);
  const sumsBefore = within(
    before,
    parts.map(({ of }) => sum(of.map((part) => part.before))),
  );
  const sumsAfter = within(
    after ?? 0,
    parts.map(({ of }) => (after === null ? 0 : sum(of.map((part) => part.after)))),
  );
  const rows = parts.map(({ id, of }, at): SumRow => {
    const sizes = { before: sumsBefore[at] ?? 0, after: after === null ? null : (sumsAfter[at] ?? 0) };
    return id === "overhead" ? { id, ...sizes } : { id, items: of.length, ...sizes };
  });
  const rest: SumRow = {
    id: "unattributed",
    before: before - sum(sumsBefore),
    after: after === null ? null : after - sum(sumsAfter),
  };
  const isThere = (row: SumRow) => row.before !== 0 || (row.after ?? 0) !== 0 || row.items !== undefined;
  return { rows: [...rows, rest].filter(isThere), before, after };
}

/** A category of added items, and its tokens. */
interface AddedPart {
  readonly category: string;
  readonly tokens: number;
}

/** The added tokens by category, as parts of their row's total; empty if they have one category, or no known size. */
export function addedParts(
  items: readonly BoundaryItem[],
  categoryOf: (item: BoundaryItem) => string,
  total: number,
): readonly AddedPart[] {
  const sums = new Map<string, number>();
  for (const item of items) {
    if (item.state !== "added" || item.after === 0) continue;
    sums.set(categoryOf(item), (sums.get(categoryOf(item)) ?? 0) + item.after);
  }
  if (sums.size < 2 || total === 0) return [];
  const sizes = within(total, [...sums.values()]);
  return [...sums.keys()].map((category, at) => ({ category, tokens: sizes[at] ?? 0 }));
}

/** Parts of a context that do not exceed it. */
function within(total: number, parts: readonly number[]): readonly number[] {
  return sum(parts) > total ? apportion(total, parts) : parts;
}

function sum(parts: readonly number[]): number {
  return parts.reduce((before, part) => before + part, 0);
}
