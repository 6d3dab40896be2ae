import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A text or number field of control height. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      type={type}
      className={cn(
        "h-7 w-full min-w-0 rounded-md border border-line2 bg-bg px-2 text-sm text-t1 placeholder:text-t3 disabled:opacity-50 aria-invalid:border-danger touch:h-10 touch:text-[16px]",
        className,
      )}
      {...props}
    />
  );
}
