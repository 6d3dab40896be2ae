import { useTranslations } from "use-intl";
import { isOurs, ruleOf } from "./estimators";

/** The name of an estimator: a message for ours; for an agent's, the agent's name and what tells its rules apart. */
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
