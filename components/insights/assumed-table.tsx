import { useTranslations } from "use-intl";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { cn } from "@/components/ui/cn";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Table } from "@/components/ui/table";
import { assumedRows, type Found } from "./advice-view";
import { useAdviceWords } from "./use-advice-words";

/** The answer as it is, at its worst, and under what might turn it. */
export function AssumedTable({ found, spec }: { readonly found: Found; readonly spec: NumberSpec }) {
  const t = useTranslations("insights");
  const words = useAdviceWords();
  return (
    <ScrollRegion aria-label={t("advice.assumed")} className="overflow-x-auto border-t border-line">
      <Table
        caption={t("advice.assumed")}
        rows={assumedRows(found)}
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
    </ScrollRegion>
  );
}
