import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A number beside the name of what it counts. It is filled and round, so that it is not mistaken for a key. */
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
