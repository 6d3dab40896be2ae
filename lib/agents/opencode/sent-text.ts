import { CLEARED_TEXT } from "./constants";

/** What stands for a cleared output. */
export function sentTexts() {
  return { cleared: () => CLEARED_TEXT };
}
