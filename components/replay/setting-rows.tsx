"use client";

import { useTranslations } from "use-intl";
import type { ReplayChoice } from "@/components/session/state/replay-choice";
import { isInputKey } from "@/lib/core/compaction/input-settings";
import type { Policy } from "@/lib/core/compaction/policy";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/settings";
import { SettingRow } from "./setting-row";

interface SettingRowsProps {
  readonly choice: Pick<ReplayChoice, "policy" | "specs" | "settings" | "changed" | "window">;
  readonly onChange: (key: string, value: SettingValue) => void;
}

/** The policy's own settings, then, folded until one is changed, those of the inputs, which every policy takes. */
export function SettingRows({ choice, onChange }: SettingRowsProps) {
  const t = useTranslations("replay.panel");
  const { policy, specs, changed } = choice;
  const own = specs.filter((spec) => !isInputKey(spec.key) && hasEffect(spec, policy));
  const inputs = specs.filter(({ key }) => isInputKey(key));
  const changedInputs = inputs.filter(({ key }) => changed.has(key)).length;
  return (
    <>
      <Rows specs={own} choice={choice} onChange={onChange} />
      {inputs.length > 0 && (
        <details open={changedInputs > 0} data-testid="inputs" className="group mt-1 border-t border-line pt-1">
          <summary className="flex min-h-7 cursor-pointer list-none items-center justify-between gap-2 touch:min-h-10">
            <span className="font-medium">
              <span aria-hidden className="mr-1 inline-block text-t3 group-open:rotate-90">
                ›
              </span>
              {t("inputs")}
            </span>
            <span className={changedInputs > 0 ? "text-xs text-accent" : "text-xs text-t3"}>
              {t("inputsChanged", { changed: changedInputs })}
            </span>
          </summary>
          <Rows specs={inputs} choice={choice} onChange={onChange} />
        </details>
      )}
    </>
  );
}

/** Every policy takes the settings of a summary and of entry; where it has neither there is nothing to set. */
export function hasEffect({ key }: SettingSpec, policy: Policy): boolean {
  if (key === "entryTruncation") return policy.entryTokens !== undefined;
  return policy.summarises !== false || (key !== "summaryTokens" && key !== "failSummary");
}

function Rows({ specs, choice, onChange }: SettingRowsProps & { readonly specs: readonly SettingSpec[] }) {
  return specs.map((spec) => (
    <SettingRow
      key={spec.key}
      spec={spec}
      value={choice.settings[spec.key] ?? null}
      changed={choice.changed.has(spec.key)}
      window={choice.window.tokens}
      onChange={onChange}
    />
  ));
}
