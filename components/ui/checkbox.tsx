import { Check } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A box to tick, in the colours of the theme. It needs a label around it, or an `aria-label`. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return (
    <span className={cn("relative grid size-3.5 shrink-0 place-items-center", className)}>
      <input
        type="checkbox"
        // What surrounds the box takes the pointer too.
        className="peer size-full cursor-pointer appearance-none rounded-sm border border-t3 bg-bg before:absolute before:-inset-2 checked:border-t1 checked:bg-t1 touch:before:-inset-3"
        {...props}
      />
      <Check
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none absolute hidden size-2.5 text-bg peer-checked:block"
      />
    </span>
  );
}
