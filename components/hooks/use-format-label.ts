import { useTranslations } from "use-intl";
import { formatLabel, GENERAL_FORMATS } from "@/lib/agents/agents";

/** A format's name: the agent's own, or one in the page's language if the format belongs to no agent. */
export function useFormatLabel(): (format: string) => string {
  const t = useTranslations("common.format");
  return (format) => (isGeneral(format) ? t(format) : formatLabel(format));
}

function isGeneral(format: string): format is keyof typeof GENERAL_FORMATS {
  return Object.hasOwn(GENERAL_FORMATS, format);
}
