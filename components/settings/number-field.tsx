import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import type { VaryRange } from "@/lib/core/metrics/grid";
import type { NumberSpec } from "./trigger-setting";
import { fromField, toField, usePolicyWords } from "./use-words";

interface NumberFieldProps<Value extends number | null> {
  readonly id: string;
  readonly value: Value;
  readonly changed: boolean;
  readonly placeholder?: string;
  /** The value that a text means; `undefined` where it means none. */
  readonly parse: (text: string) => Value | undefined;
  readonly onValue: (value: Value) => void;
}

/** A field that takes a number as it is typed. Text that cannot be a value is marked and left as it is. */
export function NumberField<Value extends number | null>({
  id,
  value,
  changed,
  placeholder,
  parse,
  onValue,
}: NumberFieldProps<Value>) {
  const format = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const invalid = typed !== null && parse(typed) === undefined;
  const written = value === null ? "" : Number.isInteger(value) ? format.count(value) : String(value);
  return (
    <Input
      id={id}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? written}
      {...(placeholder === undefined ? {} : { placeholder })}
      aria-invalid={invalid}
      onChange={({ target }) => {
        setTyped(target.value);
        const next = parse(target.value);
        if (next !== undefined) onValue(next);
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      className={cn("w-20 shrink-0 text-right touch:w-26", changed && "border-accent")}
    />
  );
}

const PARTS = ["from", "to", "step"] as const;

interface RangeFieldsProps {
  readonly spec: NumberSpec;
  readonly range: VaryRange;
  readonly onRange: (range: VaryRange) => void;
}

/** The range over which a setting is varied, as three fields. */
export function RangeFields({ spec, range, onRange }: RangeFieldsProps) {
  const t = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const id = useId();
  // A step has the setting's unit, but limits of its own.
  const step: NumberSpec = { ...spec, min: 1e-6, max: spec.max - spec.min };
  return (
    <span className="flex flex-wrap items-center gap-2">
      {PARTS.map((part) => (
        <span key={part} className="flex items-center gap-1.5">
          <label htmlFor={`${id}-${part}`} className="text-sm text-t2">
            {t(part)}
          </label>
          <NumberField
            id={`${id}-${part}`}
            value={toField(spec, range[part])}
            changed={false}
            parse={(text) => fromField(part === "step" ? step : spec, text)}
            onValue={(value) => onRange({ ...range, [part]: value })}
          />
        </span>
      ))}
      <span className="text-sm text-t2">{words.unit(spec.unit)}</span>
    </span>
  );
}
