import type { ComponentProps } from "react";
import { cn } from "./cn";

/** How many of something there are, beside its name: filled and round, so that it is not taken for a key. */
export function Count({ className, ...props }: ComponentProps<"span">) {
  return (
    <span
      className={cn(
        "inline-block h-4 min-w-4 rounded-full bg-sunk px-1.5 text-center text-xs leading-4 font-normal text-t2",
        className,
      )}
      {...props}
    />
  );
}
