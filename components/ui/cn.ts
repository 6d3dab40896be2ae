import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Class names, later ones winning over earlier ones of the same property. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
