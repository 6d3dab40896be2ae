import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { useNonce } from "@/components/hooks/nonce";
import { cn } from "./cn";

export const Select = Primitive.Root;
export const SelectValue = Primitive.Value;

export function SelectTrigger({ className, children, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        "flex h-8 min-w-0 items-center justify-between gap-2 rounded-md border border-line2 bg-bg px-2 font-medium normal-nums hover:bg-sunk disabled:opacity-50 data-[placeholder]:text-t3 touch:h-10 [&>span]:truncate",
        className,
      )}
      {...props}
    >
      {children}
      <Primitive.Icon asChild>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-t2" />
      </Primitive.Icon>
    </Primitive.Trigger>
  );
}

export function SelectContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  const nonce = useNonce();
  return (
    <Primitive.Portal>
      <Primitive.Content
        position="popper"
        sideOffset={4}
        className={cn(
          "floating appear z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden",
          className,
        )}
        {...props}
      >
        <Primitive.Viewport className="p-1" {...(nonce !== undefined && { nonce })}>
          {children}
        </Primitive.Viewport>
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SelectItem({ className, children, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        "relative flex min-h-7 items-center gap-2 rounded-sm py-1 pr-2 pl-7 normal-nums outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunk dark:data-[highlighted]:bg-line touch:min-h-10",
        className,
      )}
      {...props}
    >
      <Primitive.ItemIndicator className="absolute left-2">
        <Check aria-hidden className="size-3.5" />
      </Primitive.ItemIndicator>
      <Primitive.ItemText>{children}</Primitive.ItemText>
    </Primitive.Item>
  );
}
