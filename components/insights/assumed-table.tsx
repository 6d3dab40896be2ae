import { useTranslations } from "use-intl";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { cn } from "@/components/ui/cn";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Table } from "@/components/ui/table";
import { type AssumedRow, assumedRows, type Found, namedUnder } from "./advice-view";
import { useAdviceWords } from "./use-advice-words";

/** The answer as it is, at its worst, and under what might turn it. */
export function AssumedTable({ found, spec }: { readonly found: Found; readonly spec: NumberSpec }) {
  const t = useTranslations("insights");
  const words = useAdviceWords();
  const rows = assumedRows(found);
  return (
    <ScrollRegion aria-label={t("advice.assumed")} className="scroll-hint overflow-x-auto border-t border-line">
      <Table
        caption={t("advice.assumed")}
        rows={rows}
        rowKey={({ advised }) => advised.under}
        rowProps={({ advised, verdict }) => ({ "data-under": advised.under, "data-verdict": verdict })}
        data-testid="assumed"
        columns={[
          {
            head: t("advice.under"),
            namesRow: true,
            className: "pl-4",
            cellClass: "whitespace-nowrap",
            cell: ({ advised, under, model }) => (
              <>
                {/* The names of the assumptions, which the compiler sees as plain texts here. */}
                {t(`under.${under}` as "under.on", { model: model ?? "" })}
                {advised === found.worst && <span className="text-t3"> · {t("advice.worst")}</span>}
              </>
            ),
          },
          {
            head: t("advice.best"),
            cellClass: "whitespace-nowrap",
            cell: ({ advised }) => words.set(spec, advised.set),
          },
          {
            head: t("advice.saving"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: ({ advised }) => words.saving(advised.saving),
          },
          ...(rows.some(({ isPart }) => isPart) ? [{ head: t("advice.sessionsOf"), cell: Coverage }] : []),
          {
            head: t("advice.verdict"),
            className: "pr-4",
            cellClass: "whitespace-nowrap",
            cell: ({ verdict }) => (
              <span className={cn(verdict === "holds" ? "text-t2" : "font-medium text-accent")}>
                {t(`verdict.${verdict}`)}
              </span>
            ),
          },
        ]}
      />
      {found.unknown.map((one) => (
        <Unknown key={one.under} unknown={one} />
      ))}
    </ScrollRegion>
  );
}

/** Of how many sessions an assumption says something, and why not of the others. */
function Coverage({ advised: { sessions, unknown, alike }, isPart }: AssumedRow) {
  const t = useTranslations("insights.advice");
  return (
    <>
      <span className="whitespace-nowrap">{t("coverage", { sessions, all: sessions + unknown + alike })}</span>
      {isPart && <span className="block text-xs text-t3">{t("lacking", { unknown, alike })}</span>}
    </>
  );
}

function Unknown({ unknown: { under: name, unknown } }: { readonly unknown: Found["unknown"][number] }) {
  const t = useTranslations("insights");
  const { under, model = "" } = namedUnder(name);
  return (
    <p className="px-4 py-1 text-sm text-t2" data-testid="unknown-under">
      {t("advice.unknownUnder", { under: t(`under.${under}` as "under.on", { model }), unknown })}
    </p>
  );
}
