import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { type Calibration, DOUBTED } from "@/lib/core/tokens/calibration";

/** Why a calibration is not reliable, as one sentence; `undefined` where there is no doubt. */
export function useDoubtText(): (calibration: Calibration | undefined) => string | undefined {
  const t = useTranslations("common.calibration");
  const format = useFormat();
  return (calibration) => {
    if (calibration === undefined || calibration.doubts.length === 0) return undefined;
    const { factor, outOfSampleError, doubts } = calibration;
    const why = doubts.map((doubt) =>
      doubt === "factor"
        ? t("factor", { factor: factor.toFixed(2), from: DOUBTED.factorBelow, to: DOUBTED.factorAbove })
        : t("error", { error: format.percent(outOfSampleError, 1), most: format.percent(DOUBTED.errorAbove) }),
    );
    return t("doubtful", { why: format.list(why) });
  };
}
