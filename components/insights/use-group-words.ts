import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { agentName } from "@/lib/agents/names";
import type { Facet } from "@/lib/api/facet-keys";
import { lastPart } from "@/lib/api/last-part";

/** What people call the values that sums are divided by. */
export function useGroupWords() {
  const t = useTranslations("insights.sums");
  return useMemo(
    () => ({
      group: (by: Facet, value: string | null): string => {
        if (value === null) return t("noValue");
        if (by === "agent") return agentName(value)?.label ?? value;
        return by === "project" ? lastPart(value) : value;
      },
    }),
    [t],
  );
}
