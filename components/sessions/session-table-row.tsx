"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import { TABLE_GRID } from "./columns";
import { AgentMark, ContextOverTime, NotRead, Peak, TitleLink, When } from "./row-parts";
import type { RowView } from "./row-view";

interface SessionTableRowProps {
  readonly row: RowView;
  readonly index: number;
  /** Place in the list, px. */
  readonly top: number;
}

/** One session as a row of the table, 36 px. */
export function SessionTableRow({ row, index, top }: SessionTableRowProps) {
  const format = useFormat();
  const waiting = row.state === "indexing";
  const count = (value: number | null) =>
    waiting ? null : <Value>{value === null ? null : format.count(value)}</Value>;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: part of a table made of grids; its link takes the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      className={cn(
        TABLE_GRID,
        "absolute inset-x-0 top-0 h-9 border-b border-line hover:bg-panel has-[a:focus-visible]:bg-sunk has-[a:focus-visible]:shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <Cell>
        <TitleLink row={row} />
      </Cell>
      <Cell>{row.agent === null ? <Value>{null}</Value> : <AgentMark agent={row.agent} />}</Cell>
      <Cell className="truncate text-t2" title={row.project}>
        {row.project ?? <Absent waiting={waiting} />}
      </Cell>
      <Cell className="truncate text-t2" title={row.models.join(", ")}>
        <Models models={row.models} waiting={waiting} />
      </Cell>
      <Cell className="truncate text-t2">{row.at === null ? <Absent waiting={waiting} /> : <When at={row.at} />}</Cell>
      <Cell className="text-right">{count(row.requests)}</Cell>
      <Cell className="pl-3">
        <ContextOverTime row={row} />
      </Cell>
      <Cell className="text-right">{row.peak === null ? <Absent waiting={waiting} /> : <Peak share={row.peak} />}</Cell>
      <Cell className={cn("text-right", row.compactions === 0 && "text-t3")}>{count(row.compactions)}</Cell>
      <Cell className="text-right whitespace-nowrap">
        {row.sent === null ? (
          <Absent waiting={waiting} />
        ) : (
          <Value exact={format.count(row.sent)}>{format.sum(row.sent)}</Value>
        )}
      </Cell>
      <Cell className="text-right">
        <NotRead lines={row.notRead} />
      </Cell>
    </div>
  );
}

interface CellProps {
  readonly children: ReactNode;
  readonly className?: string;
  readonly title?: string | null;
}

function Cell({ children, className, title }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a table made of grids
    <div role="cell" className={cn("min-w-0", className)} title={title || undefined}>
      {children}
    </div>
  );
}

/** n/a, but nothing while the file waits to be read. */
function Absent({ waiting }: { readonly waiting: boolean }) {
  return waiting ? null : <Value>{null}</Value>;
}

function Models({ models, waiting }: { readonly models: readonly string[]; readonly waiting: boolean }) {
  const t = useTranslations("sessions.row");
  const [first, ...more] = models;
  if (first === undefined) return <Absent waiting={waiting} />;
  return (
    <>
      {first}
      {more.length > 0 && <span className="text-t3"> {t("modelMore", { count: more.length })}</span>}
    </>
  );
}
