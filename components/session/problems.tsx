import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Table } from "@/components/ui/table";
import type { SessionSummary } from "@/lib/queries/contract/types";

interface ProblemsProps {
  readonly summary: SessionSummary;
}

/** Tables of unread records, and of oddities that were read anyway. They show no text of the transcript. */
export function Problems({ summary }: ProblemsProps) {
  return (
    <>
      <DamagedLines summary={summary} />
      <Oddities summary={summary} />
    </>
  );
}

function DamagedLines({ summary }: ProblemsProps) {
  const t = useTranslations("session.problems");
  const format = useFormat();
  const { damaged, damagedTotal } = summary.records;
  if (damagedTotal === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-semibold">{t("damaged", { count: damagedTotal })}</h3>
      <Table
        data-testid="damaged-lines"
        rows={damaged}
        rowKey={({ line }) => line}
        columns={[
          { head: t("line"), numeric: true, cell: ({ line }) => format.count(line) },
          { head: t("reason"), cell: ({ reason }) => t(`reasons.${reason}`) },
          { head: t("size"), numeric: true, cell: ({ bytes }) => format.bytes(bytes) },
        ]}
      />
      {damaged.length < damagedTotal && (
        <p className="mt-1 text-sm text-t3">{t("firstOnly", { shown: damaged.length, count: damagedTotal })}</p>
      )}
    </section>
  );
}

function Oddities({ summary }: ProblemsProps) {
  const t = useTranslations("session.problems");
  const format = useFormat();
  const rows = summary.problems.filter(({ code }) => code !== "damaged-line");
  if (rows.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-semibold">{t("oddities")}</h3>
      <Table
        data-testid="problems"
        rows={rows}
        rowKey={({ code, detail, line }) => `${code} ${detail} ${line}`}
        columns={[
          {
            head: t("what"),
            // The core defines the codes. A code of a newer build is shown unchanged.
            cell: ({ code }) => (t.has(`codes.${code}` as never) ? t(`codes.${code}` as never) : code),
          },
          { head: t("detail"), cellClass: "font-mono text-sm [overflow-wrap:anywhere]", cell: ({ detail }) => detail },
          { head: t("firstLine"), numeric: true, cell: ({ line }) => (line === null ? "–" : format.count(line)) },
          { head: t("count"), numeric: true, cell: ({ count }) => format.count(count) },
        ]}
      />
    </section>
  );
}
