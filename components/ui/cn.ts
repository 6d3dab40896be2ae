import { type ClassValue, clsx } from "clsx";
import { mergeClasses } from "./merge-classes";

/** Joins class names; later ones win over earlier ones of the same property. */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes));
}
