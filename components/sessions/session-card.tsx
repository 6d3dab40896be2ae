"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import { BoundaryMark } from "./boundary-mark";
import { AgentMark, ContextOverTime, NotRead, Peak, TitleLink, When } from "./row-parts";
import type { RowView } from "./row-view";

interface SessionCardProps {
  readonly row: RowView;
  readonly index: number;
  readonly count: number;
  /** Place in the list, px. */
  readonly top: number;
}

/** One session on a narrow screen, three lines of 92 px in all: the same facts as the row of the table. */
export function SessionCard({ row, index, count, top }: SessionCardProps) {
  const [model, ...more] = row.models;
  const hasFigures = row.state === "ready" || row.state === "no-usage";
  const facts = [row.project, model === undefined ? null : more.length === 0 ? model : `${model} +${more.length}`];
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 flex h-23 flex-col justify-center gap-1 border-b border-line px-4 has-[a:focus-visible]:bg-sunk has-[a:focus-visible]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      <div className="flex items-center justify-between gap-3">
        <TitleLink row={row} />
        <span className="text-sm whitespace-nowrap text-t2">{row.at !== null && <When at={row.at} />}</span>
      </div>
      <div className="flex items-center gap-2 text-sm text-t2">
        {row.agent !== null && <AgentMark agent={row.agent} />}
        <span className="grow truncate">{facts.filter(Boolean).join(" · ")}</span>
        <NotRead lines={row.notRead} />
      </div>
      <div className="grid h-6 grid-cols-[minmax(0,1fr)_2.5rem_1.75rem_4rem_3.75rem] items-center gap-2 text-sm whitespace-nowrap">
        <div className={hasFigures ? undefined : "col-span-full"}>
          <ContextOverTime row={row} />
        </div>
        {hasFigures && <Figures row={row} />}
      </div>
    </li>
  );
}

/** Four cells of the card's last line: peak, compactions, requests, sent. */
function Figures({ row }: { readonly row: RowView }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
  const compactions = row.compactions ?? 0;
  return (
    <>
      <span className="text-right">{row.peak === null ? <Value>{null}</Value> : <Peak share={row.peak} />}</span>
      <span className={cn("text-right", compactions === 0 && "text-t3")}>
        <span aria-hidden>
          {format.count(compactions)} <BoundaryMark />
        </span>
        <span className="sr-only">{t("compactions", { count: compactions })}</span>
      </span>
      <span className="text-right text-t2">
        <Value>{row.requests === null ? null : t("requestsShort", { count: format.count(row.requests) })}</Value>
      </span>
      <span className="text-right text-t2">
        <Value>{row.sent === null ? null : format.sum(row.sent)}</Value>
      </span>
    </>
  );
}
