import { Tooltip as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

interface TooltipProps extends Pick<ComponentProps<typeof Primitive.Content>, "side" | "align"> {
  /** Text of the tip. It repeats or adds to what is visible; it is never the only place for something. */
  readonly content: ReactNode;
  /** One element that takes a ref and can hold the focus. */
  readonly children: ReactNode;
  readonly className?: string;
}

export function Tooltip({ content, children, className, side, align }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={300}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            sideOffset={6}
            collisionPadding={8}
            {...(side && { side })}
            {...(align && { align })}
            className={cn("floating appear z-50 max-w-80 px-2 py-1 text-sm text-t1", className)}
          >
            {content}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
