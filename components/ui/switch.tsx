import { Switch as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

interface SwitchProps extends ComponentProps<typeof Primitive.Root> {
  /** Whether the value differs from the documented one; it is then drawn in the accent. */
  readonly changed?: boolean;
}

export function Switch({ className, changed = false, ...props }: SwitchProps) {
  return (
    <Primitive.Root
      className={cn(
        "relative inline-flex h-4 w-7 shrink-0 items-center rounded-full border border-line2 bg-sunk px-0.5 disabled:opacity-50",
        // The pressable area is larger than the drawn switch: a finger needs more room.
        "touch:before:absolute touch:before:-inset-x-2 touch:before:-inset-y-3",
        changed
          ? "data-[state=checked]:border-accent data-[state=checked]:bg-accent"
          : "data-[state=checked]:border-t2 data-[state=checked]:bg-t2",
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="size-2.5 rounded-full bg-t2 transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-bg" />
    </Primitive.Root>
  );
}
