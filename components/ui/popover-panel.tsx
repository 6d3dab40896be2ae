import { Popover as Primitive } from "radix-ui";
import type { ComponentProps, RefObject } from "react";
import { cn } from "./cn";
import { useOverlay, useTriggerAsPart } from "./overlay";

export interface PopoverPanelProps extends ComponentProps<typeof Primitive.Content> {
  /** Its anchor, if no trigger opens it. */
  readonly anchor?: RefObject<Element>;
}

/** The content of a popover. Loaded when the user is about to open one. */
export function PopoverPanel({ className, sideOffset = 4, anchor, ...props }: PopoverPanelProps) {
  const { open, setOpen, trigger, contentId } = useOverlay();
  const { interactedOutside, focusBack } = useTriggerAsPart();
  const { onInteractOutside, onCloseAutoFocus, ...rest } = props;
  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      <Primitive.Anchor virtualRef={anchor ?? trigger} />
      <Primitive.Portal>
        <Primitive.Content
          id={contentId}
          sideOffset={sideOffset}
          collisionPadding={8}
          className={cn(
            "floating appear z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-16px)] overflow-auto p-3",
            className,
          )}
          {...rest}
          onInteractOutside={(event) => {
            onInteractOutside?.(event);
            interactedOutside(event);
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event);
            focusBack(event);
          }}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}
