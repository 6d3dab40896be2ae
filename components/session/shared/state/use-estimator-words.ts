import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { type Calibration, DOUBTED } from "@/lib/core/context/calibration";
import { isOurs, ruleOf } from "./estimators";

/** The name of an estimator: a message if it belongs to no agent, else the agent's name and the variant of its rule. */
export function useEstimatorName(): (estimator: string) => string {
  const names = useTranslations("replay.estimator");
  const t = useTranslations("session.accuracy");
  return (estimator) => {
    if (isOurs(estimator)) return names(estimator);
    const rule = ruleOf(estimator);
    if (rule === undefined) return estimator;
    return rule.variant === "" ? rule.agent : t("variant", rule);
  };
}

/** Reason for an unreliable calibration, in one sentence; `undefined` if it is reliable. */
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
