import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { noSubjectOf } from "@/lib/core/transcript/title";

/** Returns a function that writes a session's title, or a sentence that no prompt states the session's subject. */
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
