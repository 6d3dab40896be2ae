import { useTranslations } from "use-intl";
import type { SessionChoices } from "@/lib/api/types";
import type { FacetKey, FacetOption } from "./facets";

/** What the page calls facets and their values. */
export function useFacetWords() {
  const t = useTranslations("sessions.filter");
  return {
    facet: (facet: FacetKey): string => t(facet),
    option: (facet: FacetKey, { value, label }: Pick<FacetOption, "value" | "label">): string => {
      if (facet === "compacted") return t(value === "yes" ? "compactedYes" : "compactedNo");
      if (facet === "near") return t(value === "yes" ? "nearYes" : "nearNo");
      if (facet === "problems") return t(value === "yes" ? "problemsYes" : "problemsNo");
      if (facet === "cost") return value === "na" ? t("costUnknown") : t("costLeast", { usd: value });
      return label ?? value;
    },
  };
}

/** What people call a chosen value, as far as the server told. */
export function labelOf(facet: FacetKey, value: string, all: SessionChoices | undefined): string | null {
  if (facet === "compacted" || facet === "near" || facet === "problems" || facet === "cost") return null;
  return all?.choices[facet].find((one) => one.value === value)?.label ?? value;
}
