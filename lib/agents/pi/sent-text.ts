import { keptOutput } from "./output-limit";

/** Outputs as pi's tools give them; the line that says what is missing is not added. */
export function sentTexts() {
  return { entered: keptOutput };
}
