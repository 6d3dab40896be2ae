import { useTranslations } from "use-intl";
import { ApiError } from "@/lib/queries/client/api-error";

/** The sentence for a failed call: the server's own sentence if it gave one. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations("common.failure");
  return (error) => {
    if (!(error instanceof ApiError)) return t("unreadable");
    if (error.kind === "network") return t("network");
    if (error.program !== undefined) return t("otherProgram", { program: error.program });
    return error.detail || (error.kind === "problem" && error.message) || t("unreadable");
  };
}
