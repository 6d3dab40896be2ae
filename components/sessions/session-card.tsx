"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
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
      <div className="flex h-6 items-center gap-3 text-sm">
        <div className="min-w-0 grow">
          <ContextOverTime row={row} />
        </div>
        {(row.state === "ready" || row.state === "no-usage") && <Figures row={row} />}
      </div>
    </li>
  );
}

function Figures({ row }: { readonly row: RowView }) {
  const t = useTranslations("sessions.row");
  const tv = useTranslations("common.value");
  const format = useFormat();
  const compactions = row.compactions ?? 0;
  return (
    <div className="flex shrink-0 items-center gap-2.5 whitespace-nowrap">
      {row.peak !== null && <Peak share={row.peak} />}
      {row.compactions !== null && (
        <span className={compactions === 0 ? "text-t3" : undefined}>
          <span aria-hidden>
            {format.count(compactions)} <BoundaryMark />
          </span>
          <span className="sr-only">{t("compactions", { count: compactions })}</span>
        </span>
      )}
      <span className="text-t2">{t("requestsShort", { count: format.count(row.requests ?? 0) })}</span>
      <span className="text-t2">{row.sent === null ? tv("na") : format.sum(row.sent)}</span>
    </div>
  );
}
