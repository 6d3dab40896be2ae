import { ToggleGroup as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

interface ToggleGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** The values, each with the content of its segment. */
  readonly options: readonly (readonly [Value, ReactNode])[];
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}

/** A segmented control. One value always stays selected. */
export function ToggleGroup<Value extends string>(props: ToggleGroupProps<Value>) {
  const { label, value, options, onChange, className } = props;
  return (
    <Primitive.Root
      type="single"
      value={value}
      aria-label={label}
      onValueChange={(next) => {
        const known = options.find(([one]) => one === next);
        if (known !== undefined) onChange(known[0]);
      }}
      className={cn(
        "inline-flex h-6 divide-x divide-line2 rounded-md border border-line2 touch:h-10 [&>:first-child]:rounded-l-[5px] [&>:last-child]:rounded-r-[5px]",
        className,
      )}
    >
      {options.map(([one, name]) => (
        <Primitive.Item
          key={one}
          value={one}
          className="px-2 text-sm font-medium whitespace-nowrap text-t2 hover:text-t1 data-[state=on]:bg-sunk data-[state=on]:text-t1 touch:px-3"
        >
          {name}
        </Primitive.Item>
      ))}
    </Primitive.Root>
  );
}
