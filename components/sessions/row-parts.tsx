"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPaths } from "@/components/charts/sparkline-path";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { Value } from "@/components/format/value";
import { useErrorText } from "@/components/hooks/use-error-text";
import { useNow } from "@/components/hooks/use-settled";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Checkbox } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { NEAR_LIMIT } from "@/lib/core/base/facet-keys";
import { request } from "@/lib/queries/client/client";
import type { Sparkline as SparklineData } from "@/lib/queries/contract/types";
import type { AgentLabel, RowView } from "./row-view";
import { SESSIONS_KEY } from "./use-session-list";

interface RowProps {
  readonly row: RowView;
}

interface TitleLinkProps extends RowProps {
  /** Called when the file was removed from here. */
  readonly onRemoved: () => void;
}

/** The title as a link that covers the whole row, and chips with the origin of the file. */
export function TitleLink({ row, onRemoved }: TitleLinkProps) {
  const t = useTranslations("sessions.row");
  const written = useTitle();
  const title = written(row.title);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        href={row.href}
        prefetch={false}
        title={row.file === null ? title : `${title}\n${row.file}`}
        className="truncate font-medium normal-nums outline-none after:absolute after:inset-0"
      >
        {title}
      </Link>
      {row.sample && <Chip>{t("sample")}</Chip>}
      {row.upload && (
        <>
          <Chip>{t("upload")}</Chip>
          <RemoveUpload row={row} onRemoved={onRemoved} />
        </>
      )}
      {row.origin !== null && (
        <Chip className="relative" title={t(`origin.${row.origin.kind}`, { title: written(row.origin.title) })}>
          {t(`originShort.${row.origin.kind}`)}
        </Chip>
      )}
      {row.inherited > 0 && (
        <Chip className="relative @max-[72rem]:hidden" title={t("inheritedNote", { count: row.inherited })}>
          {t("inherited", { count: row.inherited })}
        </Chip>
      )}
      {row.subagents !== null && (
        <Chip className="relative @max-[72rem]:hidden" title={t("withSubagentsNote")}>
          <WithSubagents row={row} />
        </Chip>
      )}
      {row.holds !== null && <Chip>{t("holds", { count: row.holds })}</Chip>}
      {row.variant !== null && <Chip>{t(`variant.${row.variant}`)}</Chip>}
    </span>
  );
}

/** A session's subagents, and their cost together with the session's. */
export function WithSubagents({ row: { subagents } }: RowProps) {
  const t = useTranslations("sessions.row");
  const tv = useTranslations("common.value");
  const format = useFormat();
  if (subagents === null) return null;
  const { count, cost, costIsLeast } = subagents;
  return t("withSubagents", {
    count,
    usd: cost === null ? tv("na") : `${costIsLeast ? "≥\u00a0" : ""}${format.usdListed(cost)}`,
  });
}

interface SelectBoxProps extends RowProps {
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** The checkbox that selects a session. It is above the link that covers the row. */
export function SelectBox({ row, isSelected, onSelect }: SelectBoxProps) {
  const t = useTranslations("sessions.select");
  const title = useTitle()(row.title);
  return (
    <Checkbox className="z-1" aria-label={t("one", { title })} checked={isSelected} onChange={() => onSelect(row.id)} />
  );
}

/** An agent's mark: two letters in a box, with the name for hover and screen readers. */
export function AgentMark({ agent }: { readonly agent: AgentLabel }) {
  return (
    <abbr
      title={agent.label}
      className="relative block h-4 w-6 shrink-0 rounded-sm border border-line2 text-center font-mono text-[11px] leading-[14px] font-medium text-t2 no-underline"
    >
      <span aria-hidden>{agent.mark}</span>
      <span className="sr-only">{agent.label}</span>
    </abbr>
  );
}

export function When({ at }: { readonly at: number }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)} className="relative">
      {format.ago(at, now)}
    </time>
  );
}

/** The sparkline, or the reason why there is none. */
export function ContextOverTime({ row }: RowProps) {
  const t = useTranslations("sessions.row");
  const tv = useTranslations("common.value");
  const format = useFormat();
  if (row.state === "failed") {
    return (
      <span className="flex items-center gap-1 text-xs text-t2" title={row.error ?? undefined}>
        <TriangleAlert aria-hidden className="size-3 shrink-0 text-danger" />
        <span className="truncate">
          {row.reason === null ? t("failed") : t(`reason.${row.reason}`, { program: row.program })}
        </span>
      </span>
    );
  }
  if (row.state === "indexing") return <Quiet>{t("indexing")}</Quiet>;
  if (row.state === "no-usage" || row.sparkline === null) return <Quiet>{t("noUsage")}</Quiet>;
  const requests = row.requests ?? 0;
  const peak = row.peak === null ? tv("na") : format.percent(row.peak);
  return <Sparkline data={row.sparkline} requests={requests} label={t("spark", { requests, peak })} />;
}

/** The number of requests, with a remark on those without usage and on inherited ones. */
export function Requests({ row, children }: RowProps & { readonly children: (count: string) => string }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
  const { requests: count, withoutUsage, estimatedSent } = row;
  if (count === null) return <Value>{null}</Value>;
  const text = children(format.count(count));
  const remark = withoutUsage > 0 && t("withoutUsage", { count, withoutUsage, estimated: estimatedSent });
  return (
    <WithInherited row={row} remark={remark || undefined}>
      {text}
    </WithInherited>
  );
}

/** Tokens sent, as the session's page shows them. */
export function Sent({ row }: RowProps) {
  const format = useFormat();
  if (row.sent === null) return <Value>{null}</Value>;
  return (
    <WithInherited row={row} remark={format.count(row.sent)}>
      {format.sum(row.sent)}
    </WithInherited>
  );
}

/** A value of the row with a remark; † if inherited requests are in it, which no total counts for this row. */
function WithInherited({
  row,
  remark,
  children,
}: RowProps & { readonly remark: string | undefined; readonly children: string }) {
  const t = useTranslations("sessions.row");
  if (row.inherited === 0) return <Value {...(remark && { exact: remark, className: "relative" })}>{children}</Value>;
  const note = t("inheritedNote", { count: row.inherited });
  return (
    <Value exact={[remark, note].filter(Boolean).join("\n")} className="relative">
      {`${children}†`}
    </Value>
  );
}

function Quiet({ children }: { readonly children: string }) {
  return (
    <span className="block truncate text-xs text-t3" title={children}>
      {children}
    </span>
  );
}

/** Peak as a share of the window, in bold near the window. */
export function Peak({ share }: { readonly share: number }) {
  const format = useFormat();
  return <span className={cn(share >= NEAR_LIMIT && "font-semibold")}>{format.percent(share)}</span>;
}

/** The session's cost by list prices: rounded to the cent, below a dollar to two digits, with the exact value on hover. */
export function ListCost({ row, className }: RowProps & { readonly className?: string }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
  const { cost, costIsLeast, unpriced } = row;
  if (cost === null) {
    return (
      <span
        className={cn("relative", className)}
        title={unpriced.length === 0 ? t("costUnknown") : t("costUnpriced", { models: unpriced.join(", ") })}
      >
        <Value>{null}</Value>
      </span>
    );
  }
  const bound = costIsLeast ? "≥\u00a0" : "";
  return (
    <span
      className={cn("relative whitespace-nowrap", className)}
      title={t("costNote", { usd: `${bound}${format.usd(cost)}` })}
    >
      {bound}
      {format.usdListed(cost)}
    </span>
  );
}

/** Number of unreadable lines; empty if there is none. */
export function NotRead({ lines }: { readonly lines: number | null }) {
  const t = useTranslations("sessions.row");
  const format = useFormat();
  if (lines === null || lines === 0) return null;
  return (
    <span className="relative inline-flex h-4 items-center gap-1 align-middle" title={t("notRead", { count: lines })}>
      <TriangleAlert aria-hidden className="size-3" />
      <span aria-hidden>{format.count(lines)}</span>
      <span className="sr-only">{t("notRead", { count: lines })}</span>
    </span>
  );
}

interface RemoveUploadProps {
  readonly row: Pick<RowView, "id" | "title">;
  /** Called when the file has been removed. */
  readonly onRemoved: () => void;
}

/** Removes an uploaded file after a confirmation: there may be no other copy. */
function RemoveUpload({ row: { id, title }, onRemoved }: RemoveUploadProps) {
  const t = useTranslations("sessions.upload");
  const errorText = useErrorText();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => request("removeUpload", { id }),
    onSuccess: () => {
      onRemoved();
      return client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="tiny"
          className="relative z-1"
          aria-label={t("remove", { title })}
          title={t("remove", { title })}
        >
          <Trash2 aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={t("remove", { title })} className="w-72 p-3">
        <p className="text-sm">{t("removeQuestion")}</p>
        {error !== null && (
          <p role="alert" className="mt-1 text-sm text-danger">
            {errorText(error)}
          </p>
        )}
        <Button className="mt-2" disabled={isPending} onClick={() => mutate()}>
          {t("removeNow")}
        </Button>
      </PopoverContent>
    </Popover>
  );
}

interface SparklineProps {
  readonly data: SparklineData;
  readonly requests: number;
  /** Its content, in words. */
  readonly label: string;
}

/** Context over the session, as a share of the window. The dotted line is 100 %, ⟂ a recorded compaction. */
function Sparkline({ data, requests, label }: SparklineProps) {
  const { line, area, ticks, ceiling, floor } = useMemo(() => sparkPaths(data, requests), [data, requests]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-6 w-full fill-none [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <path d={`M0 ${ceiling + 0.5}H${SPARK_WIDTH}`} className="stroke-line2" strokeDasharray="1 3" />
      <path d={area} className="fill-c-results" />
      <path d={line} className="stroke-c-assistant" />
      <path d={`M0 ${floor + 0.5}H${SPARK_WIDTH}`} className="stroke-line" />
      <path d={ticks} className="stroke-t1" strokeWidth="1.25" />
    </svg>
  );
}

/** ⟂, the sign of a compaction. A word is next to it, or replaces it for screen readers. */
export function BoundaryMark() {
  return (
    <svg
      aria-hidden="true"
      width="11"
      height="11"
      viewBox="0 0 24 24"
      className="inline-block fill-none stroke-current"
    >
      <path d="M12 3v17M4 20h16" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}
