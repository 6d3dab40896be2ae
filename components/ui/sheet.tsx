import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { CloseButton, DialogOverlay } from "./dialog";

export const Sheet = Primitive.Root;
export const SheetTrigger = Primitive.Trigger;

interface SheetContentProps extends ComponentProps<typeof Primitive.Content> {
  readonly side?: "bottom" | "right";
}

/** A dialog at an edge of the screen; on a phone at the bottom. It holds a `SheetTitle`. */
export function SheetContent({ className, children, side = "bottom", ...props }: SheetContentProps) {
  return (
    <Primitive.Portal>
      <DialogOverlay />
      <Primitive.Content
        className={cn(
          "appear fixed z-50 overflow-auto bg-bg shadow-floating",
          side === "bottom" && "inset-x-0 bottom-0 max-h-[85dvh] rounded-t-lg border-t border-line2",
          side === "right" && "inset-y-0 right-0 w-[min(360px,100vw)] border-l border-line2",
          className,
        )}
        {...props}
      >
        {children}
        <CloseButton />
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn("pr-8 font-semibold", className)} {...props} />;
}
