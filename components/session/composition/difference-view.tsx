import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { itemChanges, itemsAt } from "@/lib/core/analysis/items-at";
import { contextOf } from "@/lib/queries/contexts/contributors";
import { type CompositionRow, compositionRows } from "../shared/context/composition-rows";
import { type ContextPlace, type DifferenceRow, differenceRows, differenceTerms } from "../shared/context/difference";
import { useContextAt } from "../shared/context/use-context-at";
import { ItemList } from "../shared/items/item-list";
import { useReplay, useSession } from "../shared/state/stores";
import type { ViewedAt } from "./use-viewed-breakdown";
import { WindowBar } from "./window-bar";

const LISTED = 12;

interface DifferenceViewProps {
  readonly shown: ContextPlace;
  readonly base: ContextPlace;
  readonly rows: readonly CompositionRow[];
  readonly viewed: (side: ContextPlace["side"], request: number) => ViewedAt;
  readonly note: string;
}

/** The difference between the contexts at two requests: by category, and by the items that were added and dropped. */
export function DifferenceView({ shown, base, rows, viewed, note }: DifferenceViewProps) {
  const t = useTranslations("session.composition");
  const { columns } = useSession("columns");
  const names = usePlaceNames(shown, base);
  const before = useMemo(() => viewed(base.side, base.request), [viewed, base.side, base.request]);
  const beforeRows = useMemo(() => compositionRows(before.breakdown, before.window), [before]);
  const changes = useItemChanges(base);
  const change =
    (viewed(shown.side, shown.request).breakdown.total?.tokens ?? 0) - (before.breakdown.total?.tokens ?? 0);
  const isRecordedItem = ({ item }: { readonly item: number }) => item < columns.length;
  return (
    <>
      <h2 className="mt-4 text-sm text-t2">{names.base}</h2>
      <WindowBar rows={beforeRows} window={before.window} trigger={before.trigger} />
      <Terms
        change={change}
        terms={differenceTerms(change, changes)}
        came={changes.came.length}
        went={changes.went.length}
      />
      <div className="mt-4 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,44rem)_1fr]">
        <DifferenceTable rows={differenceRows(beforeRows, rows)} before={names.base} after={names.shown} note={note} />
        <div className="flex min-w-0 flex-col gap-6">
          <ItemList title={t("came")} items={changes.came.filter(isRecordedItem).slice(0, LISTED)} />
          <ItemList title={t("went")} items={changes.went.filter(isRecordedItem).slice(0, LISTED)} />
        </div>
      </div>
    </>
  );
}

/** The names of the contexts: only the requests if both are of one side. */
function usePlaceNames(shown: ContextPlace, base: ContextPlace) {
  const t = useTranslations("session.composition");
  const words = usePolicyWords();
  const { choice } = useReplay("choice");
  const sideOf = ({ side }: ContextPlace) => (side === "recorded" ? t("recorded") : words.policy(choice.policy));
  const nameOf = (place: ContextPlace) =>
    shown.side === base.side ? t("base.request", { request: place.request }) : sideOf(place);
  return { shown: nameOf(shown), base: nameOf(base) };
}

function useItemChanges(base: ContextPlace) {
  const { columns, recorded } = useSession("columns", "recorded");
  const { simulated, choice } = useReplay("simulated", "choice");
  const { context, request } = useContextAt();
  return useMemo(() => {
    const earlier =
      base.side === "recorded"
        ? contextOf(columns, recorded, "recorded")
        : contextOf(columns, simulated, choice.policy.id);
    return itemChanges(itemsAt(earlier, base.request), itemsAt(context, request));
  }, [columns, recorded, simulated, choice.policy.id, base.side, base.request, context, request]);
}

interface TermsProps {
  readonly change: number;
  readonly terms: ReturnType<typeof differenceTerms>;
  readonly came: number;
  readonly went: number;
}

/** The change as the sum of its terms. */
function Terms({ change, terms, came, went }: TermsProps) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const metrics = [
    ["change", t("change"), change],
    ["came", t("cameItems", { count: came }), terms.came],
    ["went", t("wentItems", { count: went }), terms.went],
    ["resized", t("resized"), terms.resized],
    ["beyond", t("beyond"), terms.beyond],
  ] as const;
  return (
    <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2" data-testid="difference-terms">
      {metrics.map(([id, name, tokens]) => (
        <div key={id} className={id === "change" ? "border-r border-line pr-8 max-md:w-full max-md:border-r-0" : ""}>
          <dt className="text-sm text-t2">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums" data-term={id}>
            {format.difference(tokens)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface DifferenceTableProps {
  readonly rows: readonly DifferenceRow[];
  /** The names of the two contexts. */
  readonly before: string;
  readonly after: string;
  readonly note: string;
}

/** Every category in both contexts, and its change. */
function DifferenceTable({ rows, before, after, note }: DifferenceTableProps) {
  const t = useTranslations("session");
  const format = useFormat();
  const change = (row: DifferenceRow) => row.after - row.before;
  const most = Math.max(1, ...rows.map((row) => Math.abs(change(row))));
  const total = (part: (row: DifferenceRow) => number) =>
    rows.filter(({ level }) => level === 0).reduce((sum, row) => sum + part(row), 0);
  const name = ({ id }: DifferenceRow) => t(`category.${id}` as "category.messages"); // each category has a message
  return (
    <ExportedTable
      className="self-start"
      data-testid="difference"
      caption={t("composition.difference")}
      note={note}
      rows={rows}
      rowKey={({ id }) => id}
      rowProps={({ id, level }) => ({ className: level === 1 ? "border-b-0" : "", "data-category": id })}
      columns={[
        {
          head: t("card.category"),
          foot: t("composition.sum"),
          namesRow: true,
          cellProps: ({ level }) => ({ className: level === 0 ? "h-7" : "pl-8 text-t2" }),
          value: (row) => `${"  ".repeat(row.level)}${name(row)}`,
          cell: (row) => (
            <span className="flex items-center gap-2">
              {row.band === undefined ? <span aria-hidden className="size-2" /> : <Swatch band={row.band} />}
              {name(row)}
            </span>
          ),
        },
        {
          head: before,
          foot: format.count(total((row) => row.before)),
          numeric: true,
          cellClass: "text-t2",
          cell: (row) => format.count(row.before),
          value: (row) => row.before,
        },
        {
          head: after,
          foot: format.count(total((row) => row.after)),
          numeric: true,
          cell: (row) => format.count(row.after),
          value: (row) => row.after,
        },
        {
          head: t("composition.change"),
          foot: format.difference(total(change)),
          numeric: true,
          cellProps: ({ level }) => ({ className: level === 0 ? "font-semibold" : "text-t2" }),
          cell: (row) => format.difference(change(row)),
          value: change,
        },
        {
          head: <span className="sr-only">{t("composition.bar")}</span>,
          className: "max-md:hidden",
          cellClass: "w-32",
          cell: (row) => <ChangeBar share={change(row) / most} />,
        },
      ]}
    />
  );
}

/** A bar to the right for growth, to the left for a decrease. */
function ChangeBar({ share }: { readonly share: number }) {
  const width = Math.abs(share) * 50;
  return (
    <svg aria-hidden="true" width="100%" height="8" className="block">
      <line x1="50%" x2="50%" y2="8" className="stroke-line2" />
      <rect
        x={`${share < 0 ? 50 - width : 50}%`}
        width={`${width}%`}
        height="8"
        className={share < 0 ? "fill-none stroke-t2" : "fill-t2"}
      />
    </svg>
  );
}
