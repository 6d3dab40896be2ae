import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; later ones win over earlier ones of the same property. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
