import { RotateCcw } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Choice } from "@/components/ui/choice";
import { Switch } from "@/components/ui/switch";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/settings/settings";
import { ClippedLine } from "./clipped-line";
import { NumberSetting } from "./number-setting";
import { OptionalNumberSetting } from "./optional-number-setting";
import { usePolicyWords } from "./use-words";

interface SettingRowProps {
  readonly spec: SettingSpec;
  readonly value: SettingValue;
  readonly changed: boolean;
  /** The policy's window, in tokens: it turns a share into an amount. */
  readonly window: number;
  /** `null` restores the documented default. */
  readonly onChange: (key: string, value: SettingValue) => void;
}

/** One setting, built from its specification: name, value, unit, and where the number comes from. */
export const SettingRow = memo(function SettingRow({ spec, value, changed, window, onChange }: SettingRowProps) {
  const words = usePolicyWords();
  const id = useId();
  const label = words.setting(spec);
  const head = <RowLabel id={id} label={label} changed={changed} onReset={() => onChange(spec.key, null)} />;
  const setting = { id, head, value, changed, onChange: (next: SettingValue) => onChange(spec.key, next) };
  return (
    <div className="py-1.5" data-setting-row={spec.key}>
      {spec.type === "number" && <NumberSetting spec={spec} label={label} {...setting} />}
      {spec.type === "optional-number" && <OptionalNumberSetting spec={spec} {...setting} />}
      {(spec.type === "boolean" || spec.type === "choice") && <ChosenSetting spec={spec} {...setting} />}
      <SourceLine spec={spec} value={value} window={window} />
    </div>
  );
});

interface ChosenSettingProps {
  readonly id: string;
  readonly spec: Extract<SettingSpec, { type: "boolean" | "choice" }>;
  readonly head: ReactNode;
  readonly value: SettingValue;
  readonly changed: boolean;
  readonly onChange: (value: SettingValue) => void;
}

/** A setting with choices: its name, and a switch or a list. Choosing the default unsets the setting. */
function ChosenSetting({ id, spec, head, value, changed, onChange }: ChosenSettingProps) {
  const words = usePolicyWords();
  const choose = (next: string | boolean) => onChange(next === spec.default ? null : next);
  return (
    <div className="flex min-h-7 items-center gap-2">
      {head}
      {spec.type === "boolean" ? (
        <Switch id={id} checked={value === true} changed={changed} onCheckedChange={choose} />
      ) : (
        <Choice
          id={id}
          value={String(value)}
          options={choicesWith(spec, value).map((choice) => [choice, words.choice(choice)])}
          onChange={choose}
          className="w-auto max-w-52 min-w-32 shrink-0 text-sm"
        />
      )}
    </div>
  );
}

/** The choices, plus the current value where it is not among them: an address can hold a count. */
function choicesWith({ choices }: Extract<SettingSpec, { type: "choice" }>, value: SettingValue): readonly string[] {
  return choices.includes(String(value)) ? choices : [...choices, String(value)];
}

interface RowLabelProps {
  readonly id: string;
  readonly label: string;
  readonly changed: boolean;
  readonly onReset: () => void;
}

export function RowLabel({ id, label, changed, onReset }: RowLabelProps) {
  const t = useTranslations("replay.panel");
  return (
    <span className="flex min-w-0 grow items-center gap-2">
      <label htmlFor={id} className="line-clamp-2 leading-tight break-words" title={label}>
        {label}
      </label>
      {changed && (
        <button
          type="button"
          onClick={onReset}
          aria-label={t("resetOne", { setting: label })}
          className="flex shrink-0 items-center gap-1 rounded-sm text-xs text-accent touch:h-10"
        >
          {t("changed")}
          <RotateCcw aria-hidden className="size-3" />
        </button>
      )}
    </span>
  );
}

function SourceLine({ spec, value, window }: Pick<SettingRowProps, "spec" | "value" | "window">) {
  const words = usePolicyWords();
  const amount = useAmount(spec, value, window);
  return <ClippedLine lead={amount} text={words.source(spec.source)} />;
}

/** The words beside a number: its amount in tokens, what a special value means, and the observed range. */
function useAmount(spec: SettingSpec, value: SettingValue, window: number): string {
  const t = useTranslations("replay.panel");
  const format = useFormat();
  if (spec.type !== "number") return "";
  const { unit, shareOf, special, observed, observedElsewhere } = spec;
  const seen = observedElsewhere === true ? "observedElsewhere" : "observed";
  const isOfWindow = unit === "share" && shareOf === undefined && typeof value === "number";
  return [
    isOfWindow ? t("amount", { tokens: format.count(Math.floor(window * value)) }) : "",
    shareOf === undefined ? "" : t(`shareOf.${shareOf}`),
    special === undefined ? "" : t(`special.${special.means}`, { value: format.count(special.value) }),
    observed === undefined ? "" : t(seen, { low: format.count(observed[0]), high: format.count(observed[1]) }),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
