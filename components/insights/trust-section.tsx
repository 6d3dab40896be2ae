import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { type Column, Table } from "@/components/ui/table";
import { agentName } from "@/lib/agents/names";
import type { InsightsAnswer } from "@/lib/api/types";
import { sessionsHref } from "./selection";

type Row = InsightsAnswer["trust"][number];

const SHARES = [
  ...(["fidelity", "cacheRule", "predictorPrecision", "predictorRecall", "summaryRecall", "summaryPrecision"] as const),
] as const;
const NOTES = ["estimatorError", "fidelity", "cacheRule", "predictor", "summary"] as const;

/** How far all of this can be trusted, by the version of the agent that wrote the sessions. */
export function TrustSection({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTranslations("insights.trust");
  const format = useFormat();
  const shares = SHARES.map(
    (key): Column<Row> => ({ head: t(key), numeric: true, cell: (row) => <Share share={row[key]} /> }),
  );
  return (
    <section aria-labelledby="insights-trust" className="px-4 py-4" data-testid="trust">
      <h2 id="insights-trust" className="text-base font-semibold">
        {t("title")}
      </h2>
      <p className="max-w-180 pb-2 text-sm text-t2">{t("lead")}</p>
      <ScrollRegion aria-label={t("title")} className="scroll-hint overflow-x-auto">
        <Table
          caption={t("title")}
          rows={rows}
          rowKey={({ agent, version }) => `${agent ?? ""} ${version ?? ""}`}
          columns={[
            {
              head: t("version"),
              namesRow: true,
              cellClass: "whitespace-nowrap",
              cell: (row) => <Version row={row} />,
            },
            { head: t("sessions"), numeric: true, cell: ({ sessions }) => format.count(sessions) },
            {
              head: t("estimatorError"),
              numeric: true,
              cell: ({ estimatorError: error }) => (
                <Value>{error === null ? null : `±\u00a0${format.percent(error)}`}</Value>
              ),
            },
            ...shares,
            {
              head: t("unpriced"),
              numeric: true,
              cell: ({ unpriced, unpricedModels }) => (
                <span title={unpricedModels?.join(", ")}>{format.count(unpriced)}</span>
              ),
            },
            { head: t("damaged"), numeric: true, cell: ({ damagedLines }) => format.count(damagedLines) },
          ]}
        />
      </ScrollRegion>
      <ul className="mt-2 max-w-180 text-xs text-t3">
        {NOTES.map((note) => (
          <li key={note}>{t(`note.${note}`)}</li>
        ))}
      </ul>
    </section>
  );
}

function Version({ row: { agent, version } }: { readonly row: Row }) {
  const t = useTranslations("insights.trust");
  const search = useSearchParams();
  const filter = { ...(agent === null ? {} : { agent }), ...(version === null ? { where: "version=" } : { version }) };
  return (
    <Link href={sessionsHref(search, filter)} prefetch={false} className="underline underline-offset-2">
      {agentName(agent)?.label ?? agent ?? ""} <span className="text-t2">{version ?? t("unknownVersion")}</span>
    </Link>
  );
}

/** A share with what it is a share of: 3 of 4 is less to go by than 300 of 400. */
function Share({ share }: { readonly share: Row["fidelity"] }) {
  const format = useFormat();
  if (share === null || share.whole === 0) return <Value>{null}</Value>;
  return (
    <span className="whitespace-nowrap" title={`${format.count(share.part)} / ${format.count(share.whole)}`}>
      {format.percent(share.part / share.whole)} <span className="text-xs text-t3">/ {format.short(share.whole)}</span>
    </span>
  );
}
