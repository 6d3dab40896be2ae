import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import type { DifferenceRow } from "./difference";

interface DifferenceTableProps {
  readonly rows: readonly DifferenceRow[];
  /** The names of the two contexts. */
  readonly before: string;
  readonly after: string;
  readonly note: string;
}

/** Every category in both contexts, and what it changed by. */
export function DifferenceTable({ rows, before, after, note }: DifferenceTableProps) {
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

/** A bar to the right for growth, to the left for what became less. */
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
