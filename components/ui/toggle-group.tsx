import { type ReactNode, useId } from "react";
import { cn } from "./cn";

interface ToggleGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** The values, each with the content of its segment. */
  readonly options: readonly (readonly [Value, ReactNode])[];
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}

/** A segmented control. One value always stays chosen. */
export function ToggleGroup<Value extends string>(props: ToggleGroupProps<Value>) {
  const { label, value, options, onChange, className } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn(
        "inline-flex h-6 divide-x divide-line2 rounded-md border border-line2 touch:h-10 [&>:first-child]:rounded-l-[5px] [&>:last-child]:rounded-r-[5px]",
        className,
      )}
    >
      {options.map(([one, text]) => (
        <label
          key={one}
          className="relative flex items-center px-2 text-sm font-medium whitespace-nowrap text-t2 hover:text-t1 has-checked:bg-sunk has-checked:text-t1 touch:px-3"
        >
          {/* Covers its segment, so that a click anywhere selects it and the focus ring surrounds it. */}
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={() => onChange(one)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-sm"
          />
          {text}
        </label>
      ))}
    </div>
  );
}
