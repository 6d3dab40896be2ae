import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { getAccuracy } from "@/lib/api/client";
import type { AccuracyRow } from "@/lib/api/types";
import { DOUBTED } from "@/lib/core/tokens/calibration";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";
import { accuracyLines } from "./accuracy-rows";
import { AccuracyTable } from "./accuracy-table";
import { NeedsScore } from "./needs-score";
import { OwnPolicy } from "./own-policy";

/**
 * How far every estimator is from the recorded usage. Estimators that need sizes only come with the session; the server counts
 * the others once, when this lens is first opened.
 */
export function Accuracy() {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { id, summary } = useSession();
  const known = summary.accuracy ?? null;
  const all = useQuery({
    queryKey: ["session", id, "accuracy"],
    queryFn: ({ signal }) => getAccuracy(id, signal),
    enabled: known !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const rows = all.data ?? known;
  const lines = useMemo(() => accuracyLines(rows ?? []), [rows]);
  const first = rows?.[0];
  if (first === undefined) {
    return (
      <div className="px-4 py-4">
        <h2 className="text-lg font-semibold">{t("noneTitle")}</h2>
        <p className="mt-1 max-w-180 text-t2">{t("noneBody")}</p>
        <OwnPolicy />
        <NeedsScore />
      </div>
    );
  }
  return (
    <div className="px-4 py-4">
      <h2 className="text-lg font-semibold">{t("title")}</h2>
      <Basis row={first} />
      <AccuracyTable lines={lines} />
      <div aria-live="polite" className="mt-3 min-h-6 text-sm text-t2">
        {all.isPending && t("counting")}
        {all.isError && <Failed error={all.error} onRetry={() => void all.refetch()} />}
      </div>
      <ul className="mt-1 max-w-180 list-disc pl-4 text-sm text-t2">
        <li>{t("noteTokenizer")}</li>
        <li>{t("noteTrigger")}</li>
        <li>{t("noteCalibration")}</li>
        <li>
          {t("noteDoubt", {
            from: DOUBTED.factorBelow,
            to: DOUBTED.factorAbove,
            most: format.percent(DOUBTED.errorAbove),
          })}
        </li>
      </ul>
      <OwnPolicy />
      <NeedsScore />
    </div>
  );
}

/** What was compared, and the trigger that the shift refers to. */
function Basis({ row: { pairs, trigger } }: { readonly row: AccuracyRow }) {
  const t = useTranslations("session.accuracy");
  const format = useFormat();
  const { ownTrigger } = useRecorded();
  const threshold = trigger === null ? "" : format.count(trigger.threshold);
  return (
    <p className="mt-1 mb-3 max-w-180 normal-nums text-t2">
      {t("basis", { pairs })}{" "}
      {trigger !== null &&
        (trigger.recorded === null
          ? t("notReachedBasis", { threshold, preset: ownTrigger?.preset ?? "" })
          : t("reachedBasis", { threshold, preset: ownTrigger?.preset ?? "", request: trigger.recorded }))}
    </p>
  );
}

function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useTranslations("session.accuracy");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  return (
    <span role="alert" className="flex flex-wrap items-center gap-2 text-danger">
      {t("failed")} {errorText(error)}
      <Button onClick={onRetry}>{action("retry")}</Button>
    </span>
  );
}
