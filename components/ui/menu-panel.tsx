import { Check } from "lucide-react";
import { Menu as Primitive } from "radix-ui/internal";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { useOverlay, useTriggerAsPart } from "./overlay";

export const MenuRadioGroup = Primitive.RadioGroup;

const itemClass =
  "relative flex min-h-7 items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunk dark:data-[highlighted]:bg-line touch:min-h-10 [&_svg]:size-3.5 [&_svg]:shrink-0";

export interface MenuPanelProps extends ComponentProps<typeof Primitive.Content> {
  /** True if the rest of the page is blocked while it is open. */
  readonly modal?: boolean;
}

/** The content of a menu. Loaded when the user is about to open one. */
export function MenuPanel({ className, sideOffset = 4, align = "start", modal = false, ...props }: MenuPanelProps) {
  const { open, setOpen, trigger, contentId, byKey } = useOverlay();
  const { interactedOutside, focusBack } = useTriggerAsPart();
  return (
    <Primitive.Root modal={modal} open={open} onOpenChange={setOpen}>
      <Primitive.Anchor virtualRef={trigger} />
      <Primitive.Portal>
        <Primitive.Content
          id={contentId}
          aria-labelledby={trigger.current?.id === "" ? undefined : trigger.current?.id}
          sideOffset={sideOffset}
          align={align}
          collisionPadding={8}
          className={cn(
            "floating appear z-50 max-h-[min(24rem,var(--radix-popper-available-height))] max-w-[calc(100vw-16px)] min-w-36 overflow-auto p-1",
            className,
          )}
          onEntryFocus={(event) => {
            // The key that opened it was pressed before the menu could notice it.
            if (byKey.current && event.currentTarget instanceof HTMLElement) focusFirst(event.currentTarget);
          }}
          {...props}
          onInteractOutside={interactedOutside}
          onCloseAutoFocus={focusBack}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function focusFirst(menu: HTMLElement): void {
  menu.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
}

export function MenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={cn(itemClass, className)} {...props} />;
}

export function MenuRadioItem({ className, children, ...props }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={cn(itemClass, "pl-7", className)} {...props}>
      <Primitive.ItemIndicator className="absolute left-2">
        <Check aria-hidden />
      </Primitive.ItemIndicator>
      {children}
    </Primitive.RadioItem>
  );
}

export function MenuSeparator({ className, ...props }: ComponentProps<typeof Primitive.Separator>) {
  return <Primitive.Separator className={cn("-mx-1 my-1 h-px bg-line", className)} {...props} />;
}
