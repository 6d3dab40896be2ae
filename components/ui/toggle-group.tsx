import { ToggleGroup as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A segmented control. To choose exactly one, ignore an empty value in `onValueChange`, so that one always stays selected. */
export function ToggleGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "inline-flex h-6 divide-x divide-line2 rounded-md border border-line2 touch:h-10 [&>:first-child]:rounded-l-[5px] [&>:last-child]:rounded-r-[5px]",
        className,
      )}
      {...props}
    />
  );
}

export function ToggleGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        "px-2 text-sm font-medium whitespace-nowrap text-t2 hover:text-t1 data-[state=on]:bg-sunk data-[state=on]:text-t1 touch:px-3",
        className,
      )}
      {...props}
    />
  );
}
