"use client";

import { Fragment, memo, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import {
  AgentMark,
  BoundaryMark,
  ContextOverTime,
  ListCost,
  NotRead,
  Peak,
  Requests,
  SelectBox,
  Sent,
  TitleLink,
  When,
  WithSubagents,
} from "./row-parts";
import type { RowView } from "./row-view";
import { TABLE_GRID, WIDE_ONLY } from "./session-list-skeleton";

interface SessionCardProps {
  readonly row: RowView;
  readonly index: number;
  readonly count: number;
  /** Vertical position in the list, px. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** One session on a narrow screen, in three lines of 92 px in all. It holds the same facts as the table's row. */
export const SessionCard = memo(function SessionCard(props: SessionCardProps) {
  const { row, index, count, top, isSelected, onSelect } = props;
  const t = useTranslations("sessions.row");
  const [model, ...more] = row.models;
  const models = model === undefined ? null : more.length === 0 ? model : `${model} +${more.length}`;
  // Long names of models come last: they may be truncated.
  const facts: readonly (readonly [name: string, fact: ReactNode])[] = [
    ["project", row.projectName],
    ["inherited", row.inherited > 0 && t("inherited", { count: row.inherited })],
    ["subagents", row.subagents !== null && <WithSubagents row={row} />],
    ["models", models],
  ];
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      className="contain-strict absolute inset-x-0 top-0 flex h-23 flex-col justify-center gap-1 border-b border-line px-4 has-[a:focus-visible]:bg-sunk has-[a:focus-visible]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      <div className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2.5">
          <SelectBox row={row} isSelected={isSelected} onSelect={onSelect} />
          <TitleLink row={row} onRemoved={() => isSelected && onSelect(row.id)} />
        </span>
        <span className="text-sm whitespace-nowrap text-t2">{row.at !== null && <When at={row.at} />}</span>
      </div>
      <div className="flex items-center gap-2 text-sm text-t2">
        {row.agent !== null && <AgentMark agent={row.agent} />}
        <span className="grow truncate">
          {facts
            .filter(([, fact]) => Boolean(fact))
            .map(([name, fact], index) => (
              <Fragment key={name}>
                {index > 0 && " · "}
                {fact}
              </Fragment>
            ))}
        </span>
        <NotRead lines={row.notRead} />
        {row.cost !== null && <ListCost row={row} />}
      </div>
      <LastLine row={row} />
    </li>
  );
});

/** The sparkline with peak, compactions, requests and tokens sent; without usage, only the known values. */
function LastLine({ row }: { readonly row: RowView }) {
  const t = useTranslations("sessions.row");
  if (row.state !== "ready") {
    return (
      <div className="flex h-6 items-center justify-between gap-2 text-sm">
        <div className="min-w-0 grow">
          <ContextOverTime row={row} />
        </div>
        {row.compactions !== null && row.compactions > 0 && <Compactions count={row.compactions} />}
      </div>
    );
  }
  return (
    <div className="grid h-6 grid-cols-[minmax(0,1fr)_2.5rem_1.75rem_4rem_3.75rem] items-center gap-2 text-right text-sm whitespace-nowrap">
      <ContextOverTime row={row} />
      {row.peak === null ? <Value>{null}</Value> : <Peak share={row.peak} />}
      <Compactions count={row.compactions ?? 0} />
      <span className="text-t2">
        <Requests row={row}>{(count) => t("requestsShort", { count })}</Requests>
      </span>
      <span className="text-t2">
        <Sent row={row} />
      </span>
    </div>
  );
}

function Compactions({ count }: { readonly count: number }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
  return (
    <span className={cn("whitespace-nowrap", count === 0 && "text-t3")}>
      <span aria-hidden>
        {format.count(count)} <BoundaryMark />
      </span>
      <span className="sr-only">{t("compactions", { count })}</span>
    </span>
  );
}

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
      <Cell className={cn("truncate normal-nums text-t2", WIDE_ONLY)} title={row.models.join(", ")}>
        <Models models={row.models} unknown={unknown} />
      </Cell>
      <Cell className="truncate text-t2">{row.at === null ? <Absent unknown={unknown} /> : <When at={row.at} />}</Cell>
      {unknown ? <Unknown row={row} /> : <Metrics row={row} />}
    </div>
  );
});

/** The columns from the requests on, for a session that has been read. */
function Metrics({ row }: { readonly row: RowView }) {
  const format = useFormat();
  return (
    <>
      <Cell className="text-right">
        <Requests row={row}>{(count) => count}</Requests>
      </Cell>
      <Cell className="pl-3">
        <ContextOverTime row={row} />
      </Cell>
      <Cell className="text-right">{row.peak === null ? <Value>{null}</Value> : <Peak share={row.peak} />}</Cell>
      <Cell className={cn("text-right", row.compactions === 0 && "text-t3")}>
        <Value>{row.compactions === null ? null : format.count(row.compactions)}</Value>
      </Cell>
      <Cell className="text-right whitespace-nowrap">
        <Sent row={row} />
      </Cell>
      <Cell className="text-right">
        <ListCost row={row} />
      </Cell>
      <Cell className={cn("text-right", WIDE_ONLY)}>
        <NotRead lines={row.notRead} />
      </Cell>
    </>
  );
}

/** Replaces the metrics of a file that has not been read, or could not be. */
function Unknown({ row }: { readonly row: RowView }) {
  return (
    <>
      <Cell>{null}</Cell>
      <Cell className="col-span-6 pl-3 @max-[72rem]:col-span-5" span={6}>
        <ContextOverTime row={row} />
      </Cell>
    </>
  );
}

interface CellProps {
  readonly children: ReactNode;
  readonly className?: string;
  readonly title?: string | null;
  /** The number of columns that it covers. */
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

/** Writes n/a, or nothing if the file itself is unknown. */
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
