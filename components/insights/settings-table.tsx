import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { cn } from "@/components/ui/cn";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Found } from "./advice-view";
import { useAdviceWords } from "./use-advice-words";

/** What the sessions come to at every swept setting, and as it is now. */
export function SettingsTable({ found, spec }: { readonly found: Found; readonly spec: NumberSpec }) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  const isFlat = (value: number | undefined) => found.flat.some((set) => set[spec.key] === value);
  const rows = [
    { set: undefined, total: found.current, saving: undefined },
    ...found.settings.map(({ set, total, saving }) => ({ set, total, saving })),
  ];
  return (
    <ScrollRegion aria-label={t("settings")} className="max-h-64 overflow-auto">
      <ExportedTable
        hasStickyHead
        caption={t("settings")}
        data-testid="settings"
        rows={rows}
        rowKey={({ set }) => set?.[spec.key] ?? "current"}
        columns={[
          {
            head: t("setting"),
            namesRow: true,
            value: ({ set }) => (set === undefined ? t("current") : (set[spec.key] ?? null)),
            cellClass: "whitespace-nowrap",
            cell: ({ set }) => (
              <span className={cn(set !== undefined && isFlat(set[spec.key]) && "font-medium text-accent")}>
                {set === undefined ? t("current") : words.set(spec, set)}
              </span>
            ),
          },
          {
            head: words.by(found.by),
            numeric: true,
            cell: ({ total }) => words.amount(found.by, total, found.lowerBounds > 0),
            value: ({ total }) => total,
          },
          {
            head: t("savesHere"),
            numeric: true,
            cell: ({ saving }) => (saving === undefined ? "" : words.share(saving)),
            value: ({ saving }) => saving ?? null,
          },
        ]}
      />
    </ScrollRegion>
  );
}
