import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { isInputKey } from "@/lib/core/compaction/policy/input-settings";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { isInEffect, type SettingSpec, type Settings, type SettingValue } from "@/lib/core/compaction/policy/settings";
import type { ContextWindow } from "@/lib/core/transcript/model";
import { SettingRow } from "./setting-row";

interface ChosenSettings {
  readonly policy: Policy;
  readonly specs: readonly SettingSpec[];
  readonly settings: Settings;
  /** Keys of the settings that differ from their documented default. */
  readonly changed: ReadonlySet<string>;
  readonly window: ContextWindow;
}

interface SettingRowsProps {
  readonly choice: ChosenSettings;
  readonly onChange: (key: string, value: SettingValue) => void;
}

/** The policy's own settings; then, folded, those without effect, such as pruning's, and those of the inputs, which every policy takes. */
export function SettingRows({ choice, onChange }: SettingRowsProps) {
  const t = useTranslations("replay.panel");
  const { policy, specs, settings, changed } = choice;
  const own = specs.filter((spec) => !isInputKey(spec.key) && hasEffect(spec, policy));
  const [inEffect, idle] = [
    own.filter((spec) => isInEffect(spec, settings)),
    own.filter((spec) => !isInEffect(spec, settings)),
  ];
  const inputs = specs.filter(({ key }) => isInputKey(key));
  const changedInputs = inputs.filter(({ key }) => changed.has(key)).length;
  return (
    <>
      <Rows specs={inEffect} choice={choice} onChange={onChange} />
      {idle.length > 0 && (
        <Folded id="idle" title={t("idle")} note={t("idleCount", { count: idle.length })}>
          <Rows specs={idle} choice={choice} onChange={onChange} />
        </Folded>
      )}
      {inputs.length > 0 && (
        <Folded
          id="inputs"
          title={t("inputs")}
          note={t("inputsChanged", { changed: changedInputs })}
          changed={changedInputs > 0}
        >
          <Rows specs={inputs} choice={choice} onChange={onChange} />
        </Folded>
      )}
    </>
  );
}

interface FoldedProps {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** True if a setting inside differs from its default; the section then starts open. */
  readonly changed?: boolean;
  readonly children: ReactNode;
}

function Folded({ id, title, note, changed = false, children }: FoldedProps) {
  return (
    <details open={changed} data-testid={id} className="group mt-1 border-t border-line pt-1">
      <summary className="flex min-h-7 cursor-pointer list-none items-center justify-between gap-2 touch:min-h-10">
        <span className="font-medium">
          <span aria-hidden className="mr-1 inline-block text-t3 group-open:rotate-90">
            ›
          </span>
          {title}
        </span>
        <span className={changed ? "text-xs text-accent" : "text-xs text-t3"}>{note}</span>
      </summary>
      {children}
    </details>
  );
}

/** True if a setting has an effect: every policy takes those for summaries and truncation on entry, but may have neither. */
export function hasEffect({ key }: SettingSpec, policy: Policy): boolean {
  if (key === "entryTruncation") return policy.entryRule !== undefined;
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
