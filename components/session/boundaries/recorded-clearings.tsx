import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { boundariesOf, type SessionColumns } from "@/lib/core/columns/columns";
import { raggedRow } from "@/lib/core/columns/ragged";
import { RequestButton } from "../shared/cost/request-button";
import { useSession } from "../shared/state/stores";
import { useRunName } from "../shared/timeline/use-marks";

/** Number of clearings that are listed at first: an agent may clear before many requests. */
const LISTED = 8;

/** The clearings that the file records, each with its request, under the name that the timeline gives them. */
export function RecordedClearings() {
  const t = useTranslations("session.boundary");
  const nameOf = useRunName();
  const { columns } = useSession("columns");
  const clearings = useMemo(() => recordedClearings(columns), [columns]);
  const [all, setAll] = useState(false);
  const more = all ? 0 : clearings.length - LISTED;
  if (clearings.length === 0) return null;
  return (
    <section className="border-b border-line px-4 py-3 text-sm text-t2" data-testid="recorded-clearings">
      <p>
        <span className="font-medium text-t1">{nameOf("clearing", clearings.length)}</span> {t("clearingsNote")}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-3">
        {clearings.slice(0, more > 0 ? LISTED : undefined).map(({ request, results }) => (
          <li key={request}>
            <RequestButton request={request}>{t("clearedResults", { count: results })}</RequestButton>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Button onClick={() => setAll(true)}>{t("moreClearings", { count: more })}</Button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** A recorded clearing: the request before which it happened, and its number of results. */
interface RecordedClearing {
  readonly request: number;
  readonly results: number;
}

export function recordedClearings(columns: SessionColumns): readonly RecordedClearing[] {
  const { request, cleared } = columns.boundaries;
  return boundariesOf(columns, "clearing").map((row) => {
    return { request: request[row] ?? 0, results: raggedRow(cleared, row).length };
  });
}
