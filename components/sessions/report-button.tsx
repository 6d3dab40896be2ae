import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";

/** Saves a report of the ticked sessions. Reading many takes a while, so a second press stops it. */
export function ReportButton({ ids }: { readonly ids: readonly string[] }) {
  const t = useTranslations("sessions.select");
  const errorText = useErrorText();
  const [error, setError] = useState<unknown>();
  const [reading, setReading] = useState<AbortController>();
  const save = async (): Promise<void> => {
    const ending = new AbortController();
    setError(undefined);
    setReading(ending);
    try {
      const { saveReport } = await import("./save-report");
      await saveReport(t("reportName", { count: ids.length }), ids, ending.signal);
    } catch (caught) {
      if (!ending.signal.aborted) setError(caught);
    } finally {
      setReading(undefined);
    }
  };
  return (
    <>
      {reading === undefined ? (
        <Button title={t("reportNote")} onClick={() => void save()}>
          {t("report")}
        </Button>
      ) : (
        <Button onClick={() => reading.abort()}>{t("stop")}</Button>
      )}
      <span role="status" className="text-sm text-t2">
        {reading !== undefined && t("reading", { count: ids.length })}
      </span>
      {error !== undefined && (
        <span role="alert" className="text-sm text-danger">
          {errorText(error)}
        </span>
      )}
    </>
  );
}
