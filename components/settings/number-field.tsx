import { useState } from "react";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";

interface NumberFieldProps<Value extends number | null> {
  readonly id: string;
  readonly value: Value;
  readonly changed: boolean;
  readonly placeholder?: string;
  /** The value of a text; `undefined` if it has none. */
  readonly parse: (text: string) => Value | undefined;
  readonly onValue: (value: Value) => void;
}

/** A field for a number, parsed as it is typed. Invalid text is marked and left unchanged. */
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
