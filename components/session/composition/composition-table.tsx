import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { bandPaint, Swatch } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { KindChip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { BreakdownKind } from "@/lib/core/context/breakdown";
import { type CompositionRow, sumOfRows } from "./composition-rows";

const CHIPS: Readonly<Record<BreakdownKind, "measured" | "estimated" | "inferred">> = {
  recorded: "measured",
  estimated: "estimated",
  inferred: "inferred",
  derived: "inferred",
};

/** The categories with their tokens, their share and the source of each number. They sum to the window. */
export function CompositionTable({ rows }: { readonly rows: readonly CompositionRow[] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen(open.has(id) ? new Set([...open].filter((one) => one !== id)) : new Set([...open, id]));
  const sum = sumOfRows(rows);
  const shareSum = rows.filter(({ level }) => level === 0).reduce((total, { share }) => total + share, 0);
  return (
    <Table className="self-start" data-testid="composition">
      <caption className="sr-only">{t("composition.title")}</caption>
      <thead>
        <TableRow>
          <TableHead>{t("card.category")}</TableHead>
          <TableHead className="max-md:hidden">
            <span className="sr-only">{t("composition.bar")}</span>
          </TableHead>
          <TableHead numeric>{t("composition.tokens")}</TableHead>
          <TableHead numeric>{t("composition.share")}</TableHead>
          <TableHead className="max-md:hidden">{t("composition.source")}</TableHead>
        </TableRow>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Category key={row.id} row={row} open={open.has(row.id)} onToggle={() => toggle(row.id)} />
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-t1 font-semibold">
          <TableHead scope="row" className="h-8 text-sm font-semibold text-t1">
            {t("composition.sum")}
          </TableHead>
          <TableCell className="max-md:hidden" />
          <TableCell numeric data-testid="composition-sum">
            {format.count(sum)}
          </TableCell>
          <TableCell numeric>{format.percent(shareSum, 1)}</TableCell>
          <TableCell className="max-md:hidden" />
        </tr>
      </tfoot>
    </Table>
  );
}

interface CategoryProps {
  readonly row: CompositionRow;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A category's row. When it is opened, the items that it consists of follow below. */
function Category({ row, open, onToggle }: CategoryProps) {
  return (
    <>
      <Line row={row} open={open} onToggle={onToggle} />
      {open && <Items row={row} />}
    </>
  );
}

/** How many items are shown at once: an MCP server can bring hundreds of tools. */
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
          <TableHead scope="row" className="max-w-0 truncate pl-8 text-sm font-normal text-t2" title={item.name}>
            {item.name}
          </TableHead>
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

function Line({ row, open, onToggle }: CategoryProps) {
  const t = useTranslations("session");
  const kind = useTranslations("common.kind");
  const format = useFormat();
  const chip = CHIPS[row.kind];
  return (
    <TableRow className={row.level === 1 ? "border-b-0" : ""} data-category={row.id}>
      <TableHead scope="row" className={cn("text-sm font-normal", row.level === 0 ? "h-7 text-t1" : "pl-8 text-t2")}>
        <span className="flex items-center gap-2 max-md:pt-1">
          <RowSwatch row={row} />
          {row.items.length === 0 ? (
            // A category id of the breakdown; each of them has a message.
            t(`category.${row.id}` as "category.messages")
          ) : (
            <button
              type="button"
              aria-expanded={open}
              onClick={onToggle}
              className="-mx-1 flex items-center gap-1 rounded-sm px-1 hover:bg-sunk touch:min-h-10"
            >
              {t(`category.${row.id}` as "category.messages")}
              <span className="text-t3">{row.items.length}</span>
              {open ? (
                <ChevronDown aria-hidden className="size-3.5" />
              ) : (
                <ChevronRight aria-hidden className="size-3.5" />
              )}
            </button>
          )}
        </span>
        {/* A phone has no room for the last column. */}
        <KindChip kind={chip} label={kind(chip)} className="flex pb-1 pl-4 md:hidden" />
      </TableHead>
      <TableCell className="w-40 max-md:hidden">
        <Bar row={row} />
      </TableCell>
      <TableCell numeric className={row.level === 0 ? "font-semibold" : "text-t2"}>
        {format.count(row.tokens)}
      </TableCell>
      <TableCell numeric className="text-t2">
        {format.percent(row.share, 1)}
      </TableCell>
      <TableCell className="max-md:hidden">
        <KindChip kind={chip} label={kind(chip)} />
      </TableCell>
    </TableRow>
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
