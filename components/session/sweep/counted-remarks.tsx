import { useTranslations } from "use-intl";
import { isMixed } from "@/lib/core/compaction/counting";
import type { SweepRow } from "@/lib/queries/contract/types";
import { useDoubtText } from "../shared/state/use-estimator-words";

interface CountedRemarksProps {
  readonly rows: readonly Pick<SweepRow, "basis" | "calibration">[];
  /** True if the rows come from several recordings. */
  readonly several?: boolean;
}

/** Remarks on how the points were counted: that not all of them are comparable, or that a calibration is not reliable. */
export function CountedRemarks({ rows, several = false }: CountedRemarksProps) {
  const t = useTranslations("sweep.counted");
  const doubtText = useDoubtText();
  const isDoubted = ({ basis, calibration }: (typeof rows)[number]) =>
    basis === "calibrated" && (calibration?.doubts.length ?? 0) > 0;
  const doubted = rows.find(isDoubted)?.calibration ?? undefined;
  const mixed = isMixed(rows.map(({ basis }) => basis));
  if (!mixed && doubted === undefined) return null;
  return (
    <div className="max-w-180 px-4 py-1 text-sm text-t2" data-testid="counted-remarks">
      {mixed && <p>{t(several ? "mixedRecordings" : "mixed")}</p>}
      {doubted !== undefined && <p>{several ? t("doubtful") : doubtText(doubted)}</p>}
    </div>
  );
}
