import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Holds the place of content that is loading, at its final size. Hidden from screen readers: the region around it says "loading". */
export function Skeleton({ className, ...props }: ComponentProps<"span">) {
  return <span aria-hidden className={cn("block animate-pulse rounded-sm bg-line/70", className)} {...props} />;
}
