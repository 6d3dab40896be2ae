import type { SetValues } from "nuqs";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { MAX_VALUES } from "@/components/session/sweep/axes";
import { NumberField } from "@/components/settings/number-field";
import { RangeFields } from "@/components/settings/range-fields";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { ADVISED_BY, type AdvisedBy } from "@/lib/core/advice/recommend";
import { type AdviceSetup, advisedPolicies, rangeOf } from "./advice-setup";
import type { INSIGHTS_PARSERS } from "./insights-params";
import { useAdviceWords } from "./use-advice-words";

interface AdviceControlsProps {
  readonly setup: AdviceSetup;
  readonly params: { readonly small: AdvisedBy; readonly seed: number };
  readonly set: SetValues<typeof INSIGHTS_PARSERS>;
}

/** The policy, the setting with its range, what is to be small, and the seed. */
export function AdviceControls({ setup, params: { small, seed }, set }: AdviceControlsProps) {
  const t = useTranslations("insights.advice");
  const ts = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const { by } = useAdviceWords();
  const id = useId();
  const { policy, preset, axis, offered, problem } = setup;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Choice
        label={t("policy")}
        value={policy.id}
        options={advisedPolicies().map((one) => [one.id, words.policy(one)] as const)}
        onChange={(next) => void set({ policy: next, preset: null, vary: null })}
        className="w-44"
        testId="advice-policy"
      />
      {policy.presets.length > 1 && (
        <Choice
          label={t("preset")}
          value={preset}
          options={policy.presets.map((one) => [one, words.preset(one, policy)] as const)}
          onChange={(next) => void set({ policy: policy.id, preset: next, vary: null })}
          className="w-56"
        />
      )}
      <Choice
        label={t("setting")}
        value={axis?.spec.key}
        options={offered.map((spec) => [spec.key, words.setting(spec)] as const)}
        onChange={(key) => {
          const range = rangeOf(setup, key);
          if (range !== undefined) void set({ vary: [range] });
        }}
        className="w-52"
        testId="advice-setting"
      />
      {axis !== undefined && <RangeFields {...axis} onRange={(range) => void set({ vary: [range] })} />}
      <ToggleGroup
        label={t("by")}
        value={small}
        options={ADVISED_BY.map((one) => [one, by(one)] as const)}
        onChange={(value) => void set({ small: value })}
      />
      <span className="flex items-center gap-1.5">
        <label htmlFor={`${id}-seed`} className="text-sm text-t2">
          {t("seed")}
        </label>
        <NumberField
          id={`${id}-seed`}
          value={seed}
          changed={false}
          parse={(text) => (/^\d{1,9}$/u.test(text.trim()) ? Number(text) : undefined)}
          onValue={(value) => void set({ seed: value })}
        />
      </span>
      {problem !== undefined && (
        <p role="alert" className="w-full text-xs text-danger">
          {ts(`problem.${problem}`, { most: MAX_VALUES })}
        </p>
      )}
    </div>
  );
}
