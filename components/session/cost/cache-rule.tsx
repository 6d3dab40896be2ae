"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import type { Cost as CostAnswer } from "@/lib/api/types";

/** Below this share of pairs within 2 % the rule is said not to hold. */
const HOLDS = 0.8;

/** How well the rule by which simulations are priced holds over this recording. */
export function CacheRule({ rule }: { readonly rule: CostAnswer["cacheRule"] }) {
  const t = useTranslations("cost.rule");
  const format = useFormat();
  return (
    <section aria-label={t("title")} data-testid="cache-rule">
      <h2 className="font-semibold">{t("title")}</h2>
      {rule === null || rule.pairs === 0 ? (
        <p className="mt-1 text-sm text-t2">{t(rule === null ? "nothingRead" : "noPairs")}</p>
      ) : (
        <>
          <p className="mt-1 text-sm text-t2">
            {t("found", {
              pairs: rule.pairs,
              exact: format.count(rule.exact),
              exactShare: format.percent(rule.exact / rule.pairs),
              within: format.count(rule.within2),
              withinShare: format.percent(rule.within2 / rule.pairs),
            })}{" "}
            {rule.costError === null ? t("noError") : t("error", { error: format.change(rule.costError, 1) })}
          </p>
          {rule.within2 / rule.pairs < HOLDS && <p className="mt-1 text-sm text-t1">{t("doubtful")}</p>}
        </>
      )}
    </section>
  );
}
