import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { noSubjectOf } from "@/lib/core/transcript/title";

/** Returns a function that writes a session's title. If no prompt states the session's subject, it is a sentence that says so. */
export function useTitle(): (title: string) => string {
  const t = useTranslations("common.noPrompt");
  return useCallback(
    (title) => {
      const kind = noSubjectOf(title);
      return kind === undefined ? title : t(kind, { title });
    },
    [t],
  );
}
