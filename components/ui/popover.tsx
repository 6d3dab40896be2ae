import { Popover as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

export const Popover = Primitive.Root;
export const PopoverTrigger = Primitive.Trigger;

export function PopoverContent({ className, sideOffset = 4, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          "floating appear z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-16px)] overflow-auto p-3",
          className,
        )}
        {...props}
      />
    </Primitive.Portal>
  );
}
