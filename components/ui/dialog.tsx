import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { useTranslations } from "use-intl";
import { Button } from "./button";
import { cn } from "./cn";

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;

export function DialogOverlay({ className, ...props }: ComponentProps<typeof Primitive.Overlay>) {
  return (
    <Primitive.Overlay className={cn("appear fixed inset-0 z-40 bg-black/30 dark:bg-black/60", className)} {...props} />
  );
}

/** A centred dialog. It holds a `DialogTitle`; without a `DialogDescription` pass `aria-describedby={undefined}`. */
export function DialogContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <DialogOverlay />
      <Primitive.Content
        className={cn(
          "floating appear fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[min(560px,calc(100vw-16px))] -translate-x-1/2 -translate-y-1/2 overflow-auto p-4",
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

export function CloseButton() {
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
