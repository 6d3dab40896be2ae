import { CLEARED_TEXT } from "../constants";

/** The text that replaces a cleared output. */
export function sentTexts() {
  return { cleared: () => CLEARED_TEXT };
}
