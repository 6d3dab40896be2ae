import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { toField } from "@/components/settings/setting-units";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import type { AdvisedBy } from "@/lib/core/advice/recommend";
import type { SweepSet } from "@/lib/core/metrics/grid";
import type { AdvisedUnder } from "./advice-view";

/** How a recommendation is written. */
export function useAdviceWords() {
  const t = useTranslations("insights");
  const words = usePolicyWords();
  const format = useFormat();
  return {
    /** What is to be small. */
    by: (by: AdvisedBy) => t(`by.${by}`),
    /** @param isLeast whether a cost is the least that it can be */
    amount: (by: AdvisedBy, value: number, isLeast = false) =>
      by === "cost" ? format.usd(value, isLeast) : format.sum(value),
    amountShort: (by: AdvisedBy, value: number) => (by === "cost" ? format.usdShort(value) : format.short(value)),
    /** A setting's value beside an axis, without its unit. */
    tick: (spec: NumberSpec, value: number) =>
      spec.unit === "share" ? String(toField(spec, value)) : format.short(toField(spec, value)),
    /** A setting with its value: "Trigger 85 %". */
    set: (spec: NumberSpec, set: SweepSet) => {
      const value = set[spec.key];
      if (value === undefined) return words.setting(spec);
      const field = toField(spec, value);
      const amount = Number.isInteger(field) ? format.count(field) : String(field);
      return `${words.setting(spec)} ${amount}\u00a0${words.unit(spec.unit)}`;
    },
    /** A saving with its interval: "14.6 % [5.9 %, 20.5 %]". */
    saving: (saving: AdvisedUnder["saving"]) =>
      t("interval", {
        estimate: format.percent(saving.estimate, 1),
        low: format.percent(saving.low, 1),
        high: format.percent(saving.high, 1),
      }),
    share: (share: number) => format.percent(share, 1),
  };
}
