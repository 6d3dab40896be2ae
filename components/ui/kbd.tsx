import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A key, in the quietest style, beside what it acts on. */
export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      className={cn(
        "inline-block h-4 min-w-4 rounded-sm border border-line2 bg-bg px-1 text-center font-sans text-xs leading-[14px] text-t3",
        className,
      )}
      {...props}
    />
  );
}
