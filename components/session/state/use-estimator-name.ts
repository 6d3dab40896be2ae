"use client";

import { useTranslations } from "use-intl";
import { isOurs, ruleOf } from "./estimators";

/** What an estimator is called: ours by a message, an agent's by that agent, with what tells its rules apart. */
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
