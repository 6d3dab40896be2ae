import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A place held for what is coming, of its final size. Invisible to screen readers: the region around it says "loading". */
export function Skeleton({ className, ...props }: ComponentProps<"span">) {
  return <span aria-hidden className={cn("block animate-pulse rounded-sm bg-line/70", className)} {...props} />;
}
