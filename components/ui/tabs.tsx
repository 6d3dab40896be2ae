import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

export const Tabs = Primitive.Root;

/** The content of a tab. Positioned, so that hidden text for screen readers stays inside and does not make the page scroll. */
export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn("relative", className)} {...props} />;
}

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={cn("flex h-10 items-stretch gap-1 overflow-x-auto overflow-y-hidden border-b border-line", className)}
      {...props}
    />
  );
}

/** A tab; the accent marks the current one. */
export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        "flex items-center gap-2 border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-t2 -outline-offset-2 hover:text-t1 data-[state=active]:border-accent data-[state=active]:text-t1",
        className,
      )}
      {...props}
    />
  );
}
