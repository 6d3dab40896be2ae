import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { bandPaint, Swatch } from "@/components/charts/band-paint";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import type { TermId } from "@/components/glossary/explanation";
import { Term } from "@/components/glossary/term";
import { KindChip } from "@/components/ui/chip";
import { RowHead, TableCell, TableRow } from "@/components/ui/table";
import type { BreakdownKind } from "@/lib/core/context/breakdown";
import { type CompositionRow, sumOfRows } from "../shared/context/composition-rows";

const CHIPS: Readonly<Record<BreakdownKind, "measured" | "estimated" | "inferred">> = {
  recorded: "measured",
  estimated: "estimated",
  inferred: "inferred",
  derived: "inferred",
};

/** The categories with their tokens, their share and the source of each number. They sum to the window. */
export function CompositionTable({ rows, note }: { readonly rows: readonly CompositionRow[]; readonly note: string }) {
  const t = useTranslations("session");
  const kind = useTranslations("common.kind");
  const format = useFormat();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen(open.has(id) ? new Set([...open].filter((one) => one !== id)) : new Set([...open, id]));
  const chip = (row: CompositionRow) => <KindChip kind={CHIPS[row.kind]} label={kind(CHIPS[row.kind])} />;
  const shareSum = rows.filter(({ level }) => level === 0).reduce((total, { share }) => total + share, 0);
  return (
    <ExportedTable
      className="self-start"
      data-testid="composition"
      caption={t("composition.title")}
      note={note}
      rows={rows}
      rowKey={({ id }) => id}
      rowProps={({ id, level }) => ({ className: level === 1 ? "border-b-0" : "", "data-category": id })}
      rowDetails={(row) => open.has(row.id) && <Items row={row} />}
      columns={[
        {
          head: t("card.category"),
          foot: t("composition.sum"),
          // A category id of the breakdown; each of them has a message.
          value: ({ id, level }) => `${"  ".repeat(level)}${t(`category.${id}` as "category.messages")}`,
          namesRow: true,
          cellProps: ({ level }) => ({ className: level === 0 ? "h-7" : "pl-8 text-t2" }),
          cell: (row) => (
            <>
              <span className="flex items-center gap-2 max-md:pt-1">
                <RowSwatch row={row} />
                <CategoryName row={row} open={open.has(row.id)} onToggle={() => toggle(row.id)} />
              </span>
              {/* A phone has no room for the last column. */}
              <span className="flex pb-1 pl-4 md:hidden">{chip(row)}</span>
            </>
          ),
        },
        {
          head: <span className="sr-only">{t("composition.bar")}</span>,
          className: "max-md:hidden",
          cellClass: "w-40",
          cell: (row) => <Bar row={row} />,
        },
        {
          head: t("composition.tokens"),
          foot: <span data-testid="composition-sum">{format.count(sumOfRows(rows))}</span>,
          numeric: true,
          cellProps: ({ level }) => ({ className: level === 0 ? "font-semibold" : "text-t2" }),
          cell: ({ tokens }) => format.count(tokens),
          value: ({ tokens }) => tokens,
        },
        {
          head: t("composition.share"),
          foot: format.percent(shareSum, 1),
          numeric: true,
          cellClass: "text-t2",
          cell: ({ share }) => format.percent(share, 1),
          value: ({ share }) => share,
        },
        {
          head: t("composition.source"),
          className: "max-md:hidden",
          cell: chip,
          value: (row) => kind(CHIPS[row.kind]),
        },
      ]}
    />
  );
}

/** Maximum number of items shown at once: an MCP server can bring hundreds of tools. */
const ITEMS_SHOWN = 100;

function Items({ row }: { readonly row: CompositionRow }) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const rest = row.items.length - ITEMS_SHOWN;
  const window = row.share > 0 ? row.tokens / row.share : 0;
  return (
    <>
      {row.items.slice(0, ITEMS_SHOWN).map((item, index) => (
        // Names may repeat, and the list keeps its order while it is open.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <TableRow key={index} className="border-b-0" data-item={item.name}>
          <RowHead className="max-w-0 truncate pl-8 text-t2" title={item.name}>
            {item.name}
          </RowHead>
          <TableCell className="max-md:hidden" />
          <TableCell numeric className="text-t2">
            {format.count(item.tokens)}
          </TableCell>
          <TableCell numeric className="text-t2">
            {window > 0 ? format.percent(item.tokens / window, 1) : ""}
          </TableCell>
          <TableCell className="max-md:hidden" />
        </TableRow>
      ))}
      {rest > 0 && (
        <TableRow className="border-b-0">
          <TableCell colSpan={5} className="pl-8 text-t3">
            {t("moreItems", { count: rest })}
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

/** The categories that the glossary explains. */
const EXPLAINED: Readonly<Partial<Record<string, TermId>>> = {
  overheadInferred: "overhead",
  unattributed: "notAttributed",
  autocompactBuffer: "buffer",
};

interface CategoryNameProps {
  readonly row: CompositionRow;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A category's name. Pressing the name of a category with items shows them below. */
function CategoryName({ row, open, onToggle }: CategoryNameProps) {
  const t = useTranslations("session.category");
  // A category id of the breakdown; each of them has a message.
  const name = t(row.id as "messages");
  const term = EXPLAINED[row.id];
  if (row.items.length === 0) return term === undefined ? name : <Term id={term}>{name}</Term>;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="-mx-1 flex items-center gap-1 rounded-sm px-1 hover:bg-sunk touch:min-h-10"
    >
      {name}
      <span className="text-t3">{row.items.length}</span>
      <Chevron aria-hidden className="size-3.5" />
    </button>
  );
}

function RowSwatch({ row }: { readonly row: CompositionRow }) {
  if (row.band !== undefined) return <Swatch band={row.band} />;
  if (row.id === "autocompactBuffer") return <span aria-hidden className="size-2 hatched outline-1 outline-line2" />;
  if (row.id === "messages") return <span aria-hidden className="size-2 rounded-[1.5px] bg-c-assistant" />;
  return <span aria-hidden className="size-2 border border-dashed border-line2" />;
}

function Bar({ row }: { readonly row: CompositionRow }) {
  const width = `${Math.min(100, Math.max(0, row.share * 100))}%`;
  const paint =
    row.band !== undefined
      ? bandPaint(row.band)
      : row.id === "messages"
        ? "var(--c-assistant)"
        : row.id === "autocompactBuffer"
          ? "url(#buffer-hatch)"
          : "none";
  return (
    <svg aria-hidden="true" width="100%" height="8" className="block">
      <rect
        width={width}
        height="8"
        fill={paint}
        stroke={paint === "none" ? "var(--line2)" : undefined}
        strokeDasharray={paint === "none" ? "3 2" : undefined}
      />
    </svg>
  );
}
