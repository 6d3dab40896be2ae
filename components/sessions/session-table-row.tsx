"use client";

import { memo, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import { TABLE_GRID } from "./columns";
import { AgentMark, ContextOverTime, ListCost, NotRead, Peak, SelectBox, TitleLink, When } from "./row-parts";
import type { RowView } from "./row-view";

interface SessionTableRowProps {
  readonly row: RowView;
  readonly index: number;
  /** Vertical position in the list, px. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** One session as a row of the table, 36 px high. */
export const SessionTableRow = memo(function SessionTableRow(props: SessionTableRowProps) {
  const { row, index, top, isSelected, onSelect } = props;
  const unknown = row.state === "indexing" || row.state === "failed";
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: part of a table made of grids; its link takes the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      className={cn(
        TABLE_GRID,
        isSelected && "bg-panel shadow-[inset_2px_0_0_var(--accent)]",
        "contain-strict absolute inset-x-0 top-0 h-9 border-b border-line hover:bg-panel has-[a:focus-visible]:bg-sunk has-[a:focus-visible]:shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <Cell className="flex">
        <SelectBox row={row} isSelected={isSelected} onSelect={onSelect} />
      </Cell>
      <Cell>
        <TitleLink row={row} onRemoved={() => isSelected && onSelect(row.id)} />
      </Cell>
      <Cell>{row.agent === null ? <Absent unknown={unknown} /> : <AgentMark agent={row.agent} />}</Cell>
      <Cell className="truncate normal-nums text-t2" title={row.project}>
        {row.projectName ?? <Absent unknown={unknown} />}
      </Cell>
      <Cell className="truncate normal-nums text-t2" title={row.models.join(", ")}>
        <Models models={row.models} unknown={unknown} />
      </Cell>
      <Cell className="truncate text-t2">{row.at === null ? <Absent unknown={unknown} /> : <When at={row.at} />}</Cell>
      {unknown ? <Unknown row={row} /> : <Figures row={row} />}
    </div>
  );
});

/** The columns from the requests on, for a session that has been read. */
function Figures({ row }: { readonly row: RowView }) {
  const format = useFormat();
  return (
    <>
      <Cell className="text-right">
        <Value>{row.requests === null ? null : format.count(row.requests)}</Value>
      </Cell>
      <Cell className="pl-3">
        <ContextOverTime row={row} />
      </Cell>
      <Cell className="text-right">{row.peak === null ? <Value>{null}</Value> : <Peak share={row.peak} />}</Cell>
      <Cell className={cn("text-right", row.compactions === 0 && "text-t3")}>
        <Value>{row.compactions === null ? null : format.count(row.compactions)}</Value>
      </Cell>
      <Cell className="text-right whitespace-nowrap">
        {row.sent === null ? (
          <Value>{null}</Value>
        ) : (
          <Value exact={format.count(row.sent)}>{format.sum(row.sent)}</Value>
        )}
      </Cell>
      <Cell className="text-right">
        <ListCost row={row} />
      </Cell>
      <Cell className="text-right">
        <NotRead lines={row.notRead} />
      </Cell>
    </>
  );
}

/** Stands in for the figures: the file has not been read yet, or why it could not be read. */
function Unknown({ row }: { readonly row: RowView }) {
  return (
    <>
      <Cell>{null}</Cell>
      <Cell className="col-span-6 pl-3" span={6}>
        <ContextOverTime row={row} />
      </Cell>
    </>
  );
}

interface CellProps {
  readonly children: ReactNode;
  readonly className?: string;
  readonly title?: string | null;
  /** The columns that it covers. */
  readonly span?: number;
}

function Cell({ children, className, title, span }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a table made of grids
    <div role="cell" aria-colspan={span} className={cn("min-w-0", className)} title={title || undefined}>
      {children}
    </div>
  );
}

/** Writes n/a, or nothing where the file itself is not known. */
function Absent({ unknown }: { readonly unknown: boolean }) {
  return unknown ? null : <Value>{null}</Value>;
}

function Models({ models, unknown }: { readonly models: readonly string[]; readonly unknown: boolean }) {
  const t = useTranslations("sessions.row");
  const [first, ...more] = models;
  if (first === undefined) return <Absent unknown={unknown} />;
  return (
    <>
      {first}
      {more.length > 0 && <span className="text-t3"> {t("modelMore", { count: more.length })}</span>}
    </>
  );
}
