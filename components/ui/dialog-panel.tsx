import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { useTranslations } from "use-intl";
import { Button } from "./button";
import { cn } from "./cn";
import { useOverlay, useTriggerAsPart } from "./overlay";

function DialogOverlay({ className, ...props }: ComponentProps<typeof Primitive.Overlay>) {
  return (
    <Primitive.Overlay className={cn("appear fixed inset-0 z-40 bg-black/30 dark:bg-black/60", className)} {...props} />
  );
}

/** A modal dialog over the page. Loaded when the user is about to open one. */
function ModalPanel({ children, ...props }: ComponentProps<typeof Primitive.Content>) {
  const { open, setOpen, contentId } = useOverlay();
  const { focusBack } = useTriggerAsPart();
  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      <Primitive.Portal>
        <DialogOverlay />
        <Primitive.Content id={contentId} {...props} onCloseAutoFocus={focusBack}>
          {children}
          <CloseButton />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A centred dialog. It holds a `DialogTitle`; without a `DialogDescription` pass `aria-describedby={undefined}`. */
export function DialogPanel({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <ModalPanel
      className={cn(
        "floating appear fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[min(560px,calc(100vw-16px))] -translate-x-1/2 -translate-y-1/2 overflow-auto p-4",
        className,
      )}
      {...props}
    />
  );
}

export interface SheetPanelProps extends ComponentProps<typeof Primitive.Content> {
  readonly side?: "bottom" | "right";
}

/** A dialog at an edge of the screen; on a phone at the bottom. It holds a `SheetTitle`. */
export function SheetPanel({ className, side = "bottom", ...props }: SheetPanelProps) {
  return (
    <ModalPanel
      className={cn(
        "appear fixed z-50 overflow-auto bg-bg shadow-floating",
        side === "bottom" && "inset-x-0 bottom-0 max-h-[85dvh] rounded-t-lg border-t border-line2",
        side === "right" && "inset-y-0 right-0 w-[min(360px,100vw)] border-l border-line2",
        className,
      )}
      {...props}
    />
  );
}

function CloseButton() {
  const t = useTranslations("common.action");
  return (
    <Primitive.Close asChild>
      <Button variant="ghost" size="icon" aria-label={t("close")} className="absolute top-2 right-2">
        <X aria-hidden />
      </Button>
    </Primitive.Close>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn("pr-8 text-lg font-semibold", className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description className={cn("mt-1 text-t2", className)} {...props} />;
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn("pr-8 font-semibold", className)} {...props} />;
}
