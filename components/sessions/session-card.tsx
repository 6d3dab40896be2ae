"use client";

import { Fragment, memo, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import { BoundaryMark } from "./boundary-mark";
import {
  AgentMark,
  ContextOverTime,
  ListCost,
  NotRead,
  Peak,
  SelectBox,
  TitleLink,
  When,
  WithSubagents,
} from "./row-parts";
import type { RowView } from "./row-view";

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
  // Long names of models come last: what the line has no room for is cut off.
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

/** The sparkline with peak, compactions, requests and tokens sent; without usage, only what is known. */
function LastLine({ row }: { readonly row: RowView }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
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
      <Value className="text-t2">
        {row.requests === null ? null : t("requestsShort", { count: format.count(row.requests) })}
      </Value>
      <Value className="text-t2">{row.sent === null ? null : format.sum(row.sent)}</Value>
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
