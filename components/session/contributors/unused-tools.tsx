import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { unusedTools } from "@/lib/core/metrics/unused-tools";
import type { ContextAt } from "../shared/context/use-context-at";
import { useRecorded } from "../shared/state/recorded-data";
import { SideList, SideListRest } from "./side-list";

const SHOWN = 12;

/** Declared tools that are never called, and what their declarations cost. */
export function UnusedTools({ at: { context, request } }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.unused");
  const column = useTranslations("contributors.column");
  const format = useFormat();
  const { standing } = useRecorded();
  const unused = useMemo(
    () => unusedTools(context.columns, standing, context.series, request),
    [context, standing, request],
  );
  if (unused === undefined || unused.length === 0) {
    return (
      <SideList title={t("title")} column="">
        <p className="py-1 text-sm text-t3">{unused === undefined ? t("unknown") : t("none")}</p>
      </SideList>
    );
  }
  return (
    <SideList title={t("title")} column={`${t("column")} · ${column("residency")}`}>
      <ul>
        {unused.slice(0, SHOWN).map(({ tool, tokens: now, residency }) => (
          <li key={tool} className="grid h-7 grid-cols-[1fr_auto_5rem] items-center gap-3 border-b border-line text-sm">
            <span className="truncate font-mono">{tool}</span>
            <span>{format.count(now)}</span>
            <span className="text-right text-t2">{format.sum(residency)}</span>
          </li>
        ))}
      </ul>
      <SideListRest count={Math.max(0, unused.length - SHOWN)} />
    </SideList>
  );
}
