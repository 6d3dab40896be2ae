"use client";

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

/** The categories with tokens, share and where the number comes from; the sum is the window. */
export function CompositionTable({ rows }: { readonly rows: readonly CompositionRow[] }) {
  const t = useTranslations("session");
  const format = useFormat();
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
          <TableHead>{t("composition.source")}</TableHead>
        </TableRow>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={row.id} row={row} />
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
          <TableCell />
        </tr>
      </tfoot>
    </Table>
  );
}

function Line({ row }: { readonly row: CompositionRow }) {
  const t = useTranslations("session");
  const kind = useTranslations("common.kind");
  const format = useFormat();
  const chip = CHIPS[row.kind];
  return (
    <TableRow className={row.level === 1 ? "border-b-0" : ""} data-category={row.id}>
      <TableHead scope="row" className={cn("text-sm font-normal", row.level === 0 ? "h-7 text-t1" : "pl-8 text-t2")}>
        <span className="flex items-center gap-2">
          <RowSwatch row={row} />
          {/* A category id of the breakdown: every one of them has a message. */}
          {t(`category.${row.id}` as "category.messages")}
        </span>
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
      <TableCell>
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
