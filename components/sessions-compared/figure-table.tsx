import Link from "next/link";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { FigureValue } from "@/components/format/value";
import { RunLetter } from "@/components/session/compare/run-mark";
import { sessionHref } from "@/components/sessions/relation";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { type Column, Table } from "@/components/ui/table";
import type { KnownFigure } from "@/lib/core/figures/values";
import { shownTitle } from "@/lib/core/transcript/title";
import { type ComparedFigures, type ComparedSession, figuresOf, shownFigures } from "./compared-sessions";

interface FigureTableProps {
  readonly sessions: readonly ComparedSession[];
  readonly onRemove: (id: string) => void;
}

interface Row extends ComparedFigures {
  readonly index: number;
  readonly session: ComparedSession;
}

/** Every figure of every session. */
export function FigureTable({ sessions, onRemove }: FigureTableProps) {
  const t = useTranslations("sessions.compare");
  const words = useTranslations("figures");
  const format = useFormat();
  const rows = sessions.map((session, index): Row => ({ index, session, ...figuresOf(session) }));
  return (
    <ScrollRegion aria-label={t("figures")} className="relative overflow-x-auto border-t border-line">
      <Table
        rows={rows}
        rowKey={({ session }) => session.id}
        caption={t("figures")}
        data-testid="compared-figures"
        columns={[
          {
            head: t("session"),
            namesRow: true,
            className: "pl-4",
            cellClass: "max-w-80",
            cell: ({ index, session: { id, facts } }) => (
              <span className="flex items-center gap-2 py-1">
                <RunLetter index={index} />
                <Link
                  href={sessionHref(id)}
                  prefetch={false}
                  className="truncate font-medium normal-nums hover:underline"
                >
                  {shownTitle(facts.title ?? "") || facts.name}
                </Link>
              </span>
            ),
          },
          {
            head: t("window"),
            numeric: true,
            cell: ({ session }) => format.count(session.replay.window.tokens),
          },
          ...shownFigures(rows).map((figure) => figureColumn(figure, words(`name.${figure.key}`))),
          {
            head: <span className="sr-only">{t("remove")}</span>,
            className: "pr-4",
            cell: ({ session: { id, facts } }) => (
              <button
                type="button"
                onClick={() => onRemove(id)}
                aria-label={t("removeOne", { title: facts.title ?? facts.name })}
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

function figureColumn(figure: KnownFigure, head: string): Column<Row> {
  return {
    head,
    numeric: true,
    cellClass: "whitespace-nowrap",
    cellProps: () => ({ "data-metric": figure.key }),
    cell: ({ figures, bands }) => <FigureValue figure={figure} value={figures[figure.key]} band={bands[figure.key]} />,
  };
}
