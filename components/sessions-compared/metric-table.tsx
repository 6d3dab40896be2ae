import Link from "next/link";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { metricColumn } from "@/components/format/metric-column";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { RunLetter } from "@/components/session/shared/runs/run-mark";
import { ScrollRegion } from "@/components/ui/table";
import { type ComparedMetrics, type ComparedSession, metricsOf, nameOf, shownMetrics } from "./compared-sessions";

interface MetricTableProps {
  readonly sessions: readonly ComparedSession[];
  readonly onRemove: (id: string) => void;
}

interface Row extends ComparedMetrics {
  readonly session: ComparedSession;
}

export function MetricTable({ sessions, onRemove }: MetricTableProps) {
  const t = useTranslations("sessions.compare");
  const words = useTranslations("metrics");
  const format = useFormat();
  const written = useTitle();
  const rows = sessions.map((session): Row => ({ session, ...metricsOf(session) }));
  return (
    <ScrollRegion aria-label={t("metrics")} className="scroll-hint relative overflow-x-auto border-t border-line">
      <ExportedTable
        rows={rows}
        rowKey={({ session }) => session.id}
        caption={t("metrics")}
        data-testid="compared-metrics"
        columns={[
          {
            head: t("session"),
            value: ({ session }) => nameOf(session),
            namesRow: true,
            className: "pl-4",
            cellClass: "max-w-80",
            cell: ({ session }) => (
              <span className="flex items-center gap-2 py-1">
                <RunLetter index={session.place} />
                <Link
                  href={sessionHref(session.id)}
                  prefetch={false}
                  className="truncate font-medium normal-nums hover:underline"
                >
                  {written(nameOf(session))}
                </Link>
              </span>
            ),
          },
          {
            head: t("window"),
            numeric: true,
            cell: ({ session }) => format.count(session.replay.window.tokens),
            value: ({ session }) => session.replay.window.tokens,
          },
          ...shownMetrics(rows).map((metric) => metricColumn(metric, words(`name.${metric.key}`), (row: Row) => row)),
          {
            head: <span className="sr-only">{t("remove")}</span>,
            className: "pr-4",
            cell: ({ session: { id, facts } }) => (
              <button
                type="button"
                onClick={() => onRemove(id)}
                aria-label={t("removeOne", { title: written(facts.title ?? facts.name) })}
                className="text-t2 underline-offset-2 hover:text-t1 hover:underline"
              >
                {t("remove")}
              </button>
            ),
          },
        ]}
      />
    </ScrollRegion>
  );
}
