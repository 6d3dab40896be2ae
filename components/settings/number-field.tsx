import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import type { NumberLimits } from "@/lib/core/compaction/policy/settings";

interface NumberFieldProps<Value extends number | null> {
  readonly id: string;
  readonly value: Value;
  readonly changed: boolean;
  readonly placeholder?: string;
  /** The accepted range, in the unit of the field. */
  readonly limits: NumberLimits;
  /** The value of a text; `undefined` if it has none. */
  readonly parse: (text: string) => Value | undefined;
  readonly onValue: (value: Value) => void;
}

/** A field for a number, parsed while typing. Invalid text is marked; on leaving the field, it is dropped and the accepted range is shown. */
export function NumberField<Value extends number | null>({
  id,
  value,
  changed,
  placeholder,
  limits,
  parse,
  onValue,
}: NumberFieldProps<Value>) {
  const t = useTranslations("replay.panel");
  const format = useFormat();
  const refusedId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const invalid = typed !== null && parse(typed) === undefined;
  const written = (number: number) => (Number.isInteger(number) ? format.count(number) : String(number));
  return (
    <span className="relative shrink-0">
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed ?? (value === null ? "" : written(value))}
        {...(placeholder === undefined ? {} : { placeholder })}
        aria-invalid={invalid}
        aria-describedby={refused === null ? undefined : refusedId}
        onChange={({ target }) => {
          setTyped(target.value);
          setRefused(null);
          const next = parse(target.value);
          if (next !== undefined) onValue(next);
        }}
        onBlur={() => {
          setRefused(invalid ? typed : null);
          setTyped(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
        className={cn("w-20 text-right touch:w-26", changed && "border-accent")}
      />
      {refused !== null && (
        <span
          id={refusedId}
          role="alert"
          data-testid="refused-number"
          className="absolute top-full right-0 z-10 mt-1 w-max max-w-60 rounded-md border border-danger bg-bg px-2 py-1 text-sm text-danger"
        >
          {t("refused", {
            typed: refused,
            low: written(limits.min),
            high: written(limits.max),
            whole: String(limits.whole),
          })}
        </span>
      )}
    </span>
  );
}
