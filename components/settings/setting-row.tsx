import { RotateCcw } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { useFrame } from "@/components/charts/drag";
import { useFormat } from "@/components/format/use-format";
import { Info } from "@/components/glossary/info";
import { Choice } from "@/components/ui/choice";
import { Slider, Switch } from "@/components/ui/controls";
import { isInRange, limitsOf, type SettingSpec, type SettingValue } from "@/lib/core/compaction/policy/settings";
import { NumberField } from "./number-field";
import type { NumberSpec } from "./trigger-setting";
import { fieldLimits, fromField, numberOf, place, toField, typedNumber, usePolicyWords } from "./use-words";

/** The value that a settings file of the user gives to a setting, and its place. */
export interface StatedSetting {
  readonly value: SettingValue;
  readonly file: string;
  readonly line: number;
}

interface SettingRowProps {
  readonly spec: SettingSpec;
  readonly value: SettingValue;
  readonly changed: boolean;
  /** The policy's window, in tokens: it turns a share into an amount. */
  readonly window: number;
  readonly stated: StatedSetting | undefined;
  /** `null` restores the documented default. */
  readonly onChange: (key: string, value: SettingValue) => void;
}

/** One setting, built from its specification: name, value, unit, and source of the number. */
export const SettingRow = memo(function SettingRow({
  spec,
  value,
  changed,
  window,
  stated,
  onChange,
}: SettingRowProps) {
  const words = usePolicyWords();
  const id = useId();
  const label = words.setting(spec);
  const head = (
    <RowLabel
      id={id}
      label={label}
      source={words.source(spec.source)}
      changed={changed}
      onReset={() => onChange(spec.key, null)}
    />
  );
  const setting = { id, head, value, changed, onChange: (next: SettingValue) => onChange(spec.key, next) };
  return (
    <div className="py-1" data-setting-row={spec.key}>
      {spec.type === "number" && <NumberSetting spec={spec} label={label} {...setting} />}
      {spec.type === "optional-number" && <OptionalNumberSetting spec={spec} {...setting} />}
      {(spec.type === "boolean" || spec.type === "choice") && <ChosenSetting spec={spec} {...setting} />}
      <AmountLine spec={spec} value={value} window={window} />
      {stated !== undefined && <StatedLine spec={spec} stated={stated} />}
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

/** A setting with choices: its name, and a switch or a list. Selecting the default unsets the setting. */
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

/** The choices, plus the current value if it is not among them: an address can hold a count. */
function choicesWith({ choices }: Extract<SettingSpec, { type: "choice" }>, value: SettingValue): readonly string[] {
  return choices.includes(String(value)) ? choices : [...choices, String(value)];
}

interface RowLabelProps {
  readonly id: string;
  readonly label: string;
  /** Source of the number; a button next to the name opens it. */
  readonly source?: string;
  readonly changed: boolean;
  readonly onReset: () => void;
}

export function RowLabel({ id, label, source, changed, onReset }: RowLabelProps) {
  const t = useTranslations("replay.panel");
  return (
    // The button moves below a long name, so that no word is broken.
    <span className="flex min-w-0 grow flex-wrap items-center gap-x-1">
      <label htmlFor={id} className="line-clamp-2 max-w-full leading-tight break-words" title={label}>
        {label}
      </label>
      {source !== undefined && (
        <Info label={t("source", { setting: label })}>
          <p className="break-words">{source}</p>
        </Info>
      )}
      {changed && (
        <button
          type="button"
          onClick={onReset}
          aria-label={t("resetOne", { setting: label })}
          className="flex shrink-0 items-center gap-1 rounded-sm text-sm text-accent touch:h-10"
        >
          {t("changed")}
          <RotateCcw aria-hidden className="size-3" />
        </button>
      )}
    </span>
  );
}

type StatedLineProps = Pick<SettingRowProps, "spec"> & { readonly stated: StatedSetting };

/** The user's own value with its place in a settings file. */
function StatedLine({ spec, stated }: StatedLineProps) {
  const t = useTranslations("replay.panel.yours");
  const own = useValueText(spec, stated.value);
  return (
    <p className="text-sm break-words text-t2" data-testid="stated-setting">
      {t("stated", { value: own, file: stated.file, line: stated.line })}
    </p>
  );
}

/** A value with its unit, as the setting's field shows it. */
function useValueText(spec: SettingSpec, value: SettingValue): string {
  const words = usePolicyWords();
  const format = useFormat();
  if (typeof value === "boolean") return words.choice(value ? "on" : "off");
  if (typeof value !== "number" || spec.type === "boolean" || spec.type === "choice")
    return words.choice(String(value));
  const field = spec.type === "number" ? toField(spec, value) : value;
  return `${Number.isInteger(field) ? format.count(field) : field} ${words.unit(spec.unit)}`;
}

/** A remark below a value, if there is one. */
function AmountLine({ spec, value, window }: Pick<SettingRowProps, "spec" | "value" | "window">) {
  const amount = useAmount(spec, value, window);
  return amount === "" ? null : <p className="text-sm text-t3">{amount}</p>;
}

/** The words next to a number: its amount in tokens, the meaning of a special value, and the observed range. */
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

interface NumberSettingProps {
  readonly id: string;
  readonly spec: NumberSpec;
  readonly label: string;
  readonly head: ReactNode;
  readonly value: SettingValue;
  readonly changed: boolean;
  /** `null` if the value is the documented default. */
  readonly onChange: (value: number | null) => void;
}

/** A number setting: name and field at the top, and a slider below with a tick at the documented default. */
function NumberSetting({ id, spec, label, head, value, changed, onChange }: NumberSettingProps) {
  const words = usePolicyWords();
  const format = useFormat();
  const number = numberOf(spec, value);
  const unit = words.unit(spec.unit);
  const set = (next: number): void => onChange(next === spec.default ? null : next);
  const slide = useFrame(set);
  return (
    <>
      <div className="flex min-h-7 items-center gap-2">
        {head}
        <NumberField
          id={id}
          value={toField(spec, number)}
          changed={changed}
          limits={fieldLimits(spec)}
          parse={(text) => fromField(spec, text)}
          onValue={set}
        />
        <span className="w-16 shrink-0 text-sm text-t2">{unit}</span>
      </div>
      <Slider
        label={label}
        min={spec.min}
        max={spec.max}
        step={spec.step}
        value={Math.min(number, spec.max)}
        changed={changed}
        tick={place(spec, spec.default)}
        {...(spec.observed === undefined
          ? {}
          : { band: [place(spec, spec.observed[0]), place(spec, spec.observed[1])] as const })}
        valueText={`${format.count(toField(spec, number))} ${unit}`}
        onChange={slide.call}
        data-setting={spec.key}
      />
    </>
  );
}

interface OptionalNumberSettingProps {
  readonly id: string;
  readonly spec: Extract<SettingSpec, { type: "optional-number" }>;
  readonly head: ReactNode;
  readonly value: SettingValue;
  readonly changed: boolean;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be unset. An empty field leaves the policy's own rule in force. */
function OptionalNumberSetting({ id, spec, head, value, changed, onChange }: OptionalNumberSettingProps) {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  return (
    <div className="flex min-h-7 items-center gap-2">
      {head}
      <NumberField
        id={id}
        value={typeof value === "number" ? value : null}
        placeholder={t("unset")}
        changed={changed}
        limits={limitsOf(spec)}
        parse={(text) => parseOptional(spec, text)}
        onValue={onChange}
      />
      <span className="w-16 shrink-0 text-sm text-t2">{words.unit(spec.unit)}</span>
    </div>
  );
}

/** The typed number; `null` for an empty field, `undefined` if it is not a number or out of range. */
function parseOptional(spec: OptionalNumberSettingProps["spec"], text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const typed = typedNumber(text);
  return isInRange(spec, typed) ? typed : undefined;
}
